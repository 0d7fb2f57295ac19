"""Response headers, as the schema describes them."""

from drf_spectacular.utils import OpenApiParameter


def etag_of(description: str, *statuses: int) -> OpenApiParameter:
    return OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=statuses, description=description)


LOCATION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=(201,), description="The address of the new resource."
)
