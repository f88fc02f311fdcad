package dev.outpost.rest.tenant;

import java.time.Instant;
import java.util.List;

/**
 * The request for a key.
 *
 * @param project the one that it is for; all of the organisation's where it is absent
 * @param member whose key it is: it may what the member's role allows, and nothing once there is no such member
 */
public record KeyRequest(String name, String project, String member, List<KeyScope> scopes, Instant expires) {}
