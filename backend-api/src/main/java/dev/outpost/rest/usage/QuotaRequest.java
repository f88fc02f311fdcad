package dev.outpost.rest.usage;

/** A quota: without a project for the organisation, without a GPU for all kinds together. */
public record QuotaRequest(String project, QuotaResource resource, String gpu, Long allowed) {}
