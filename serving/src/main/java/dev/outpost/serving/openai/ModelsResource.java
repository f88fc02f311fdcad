package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.engine.UnknownModelException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/** The list of models. */
@Path("/v1/models")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ModelsResource {
    /** The start of this process, in seconds since 1970. */
    private static final long CREATED = Duration.ofMillis(
                    ManagementFactory.getRuntimeMXBean().getStartTime())
            .toSeconds();

    private final ModelDirectory models;

    ModelsResource(ModelDirectory models) {
        this.models = models;
    }

    /** A model. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Model(String id, String object, long created, String ownedBy) {}

    /** All models. */
    public record ModelList(String object, List<Model> data) {}

    @GET
    public ModelList list() {
        return new ModelList("list", models.names().stream().map(this::model).toList());
    }

    @GET
    @Path("/{name}")
    public Model one(@PathParam("name") String name) {
        return models.names().stream()
                .filter(name::equals)
                .findFirst()
                .map(this::model)
                .orElseThrow(() -> new UnknownModelException(name, models.names()));
    }

    private Model model(String name) {
        return new Model(name, "model", CREATED, "outpost");
    }
}
