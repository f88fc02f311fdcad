package dev.outpost.rest.tenant;

/** The request for an organisation. */
public record OrganisationRequest(String name) {}
