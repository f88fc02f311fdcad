package dev.outpost.rest.tenant;

public record OrganisationRequest(String name) {}
