package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.store.usage.UseRows;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.UseSamples;
import dev.outpost.rest.usage.UseSamples.UseSample;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The GPUs and the memory in use over time. */
@Path("/v1/use-samples")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "usage")
public class UseSamplesResource extends ApiResource {
    /** The maximum number of returned samples. */
    private static final int MAX_ITEMS = 300;

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary = "Machines, GPUs and memory in use over time",
            description =
                    "The backend takes samples all the time and keeps them for 35 days. An item has the most of the"
                            + " samples of a step, which is five minutes or longer: an answer has at most 300 items.")
    public UseSamples get(
            @QueryParam("project") Optional<String> project,
            @QueryParam("from") Optional<String> from,
            @QueryParam("to") Optional<String> to) {
        Optional<String> which = caller.projectFilter(project);
        return transact(sql -> {
            Window window = Window.of(from, to, sql.now());
            Duration step = step(Duration.between(window.from(), window.to()));
            return new UseSamples(
                    window.from(),
                    window.to(),
                    step,
                    UseRows.of(sql, caller.organisation(), which, window.from(), window.to(), step).stream()
                            .map(row -> new UseSample(row.at(), row.machines(), row.gpus(), row.memoryBytes()))
                            .toList());
        });
    }

    private static Duration step(Duration window) {
        long steps = window.dividedBy(UseRows.STEP.multipliedBy(MAX_ITEMS - 1)) + 1;
        return UseRows.STEP.multipliedBy(steps);
    }
}
