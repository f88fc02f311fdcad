package dev.outpost.rest.tenant;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The request to replace a key by a new one.
 *
 * @param overlap the time for which the old key stays valid
 */
public record Rotation(@Nullable Duration overlap) {}
