package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a project.
 *
 * @param priority the priority of its requests in the queue; higher ones go first
 * @param archived the time since which it accepts no new machines
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectView(
        String name,
        int priority,
        Instant created,
        @Nullable Instant archived,
        long version) {}
