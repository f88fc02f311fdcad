package dev.outpost.rest.tenant;

import java.time.Instant;
import java.util.List;

/** A key of the person, which this answer alone shows. */
public record LoggedIn(
        String key, String organisation, String project, String subject, List<KeyScope> scopes, Instant expires) {}
