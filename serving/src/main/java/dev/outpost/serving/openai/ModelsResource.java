package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.outpost.serving.engine.ServedModels;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** Which models there are. */
@Path("/v1/models")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ModelsResource {
    private final ServedModels models;

    ModelsResource(ServedModels models) {
        this.models = models;
    }

    /** A model. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Model(String id, String object, long created, String ownedBy) {}

    /** All of them. */
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
                .orElseThrow(() -> models.unknown(name));
    }

    private Model model(String name) {
        return new Model(name, "model", models.created().getEpochSecond(), "outpost");
    }
}
