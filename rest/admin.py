"""Answers already given, in the admin: to see that they are there and go; they cannot be read."""

from django.contrib import admin
from django.http import HttpRequest

from rest.models import AnsweredRequest


@admin.register(AnsweredRequest)
class AnsweredRequestAdmin(admin.ModelAdmin[AnsweredRequest]):
    list_display = ("__str__", "status", "created_at")
    list_filter = ("status", "created_at")
    search_fields = ("digest",)
    fields = readonly_fields = ("digest", "fingerprint", "status", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
