package dev.outpost.rest.tenant;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The request for a new key in the place of an old one.
 *
 * @param overlap the time for which the old key stays valid
 */
public record Rotation(@Nullable Duration overlap) {}
