package dev.outpost.backend.api;

import dev.outpost.rest.ProblemBody;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/** Adds a problem document ({@link ProblemBody}) to the possible answers of each call in the API's description. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public class ProblemResponses implements OASFilter {
    private static final String NAME = "Problem";
    private static final String OK = "200";

    /**
     * The status is 201 for a new resource and 202 for one that continues to change. Both have the same body as an
     * answer with 200.
     */
    private static final String SUCCESSES = "2XX";

    @Override
    public Operation filterOperation(Operation operation) {
        if (operation.getResponses() == null) {
            operation.setResponses(OASFactory.createAPIResponses());
        }
        APIResponse success = operation.getResponses().getAPIResponse(OK);
        if (success != null) {
            operation.getResponses().addAPIResponse(SUCCESSES, success);
        }
        operation.getResponses().setDefaultValue(response());
        return operation;
    }

    /** The answer to a removal has no body. */
    @Override
    public PathItem filterPathItem(PathItem path) {
        if (path.getDELETE() != null && path.getDELETE().getResponses() != null) {
            path.getDELETE()
                    .getResponses()
                    .addAPIResponse("204", OASFactory.createAPIResponse().description("No Content"));
        }
        return path;
    }

    private static APIResponse response() {
        return OASFactory.createAPIResponse()
                .description("A problem document (RFC 9457)")
                .content(OASFactory.createContent()
                        .addMediaType(
                                ProblemBody.MEDIA_TYPE,
                                OASFactory.createMediaType()
                                        .schema(OASFactory.createSchema().ref("#/components/schemas/" + NAME))));
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        document.getInfo()
                .setDescription(document.getInfo().getDescription()
                        + "\n\nA value beyond its bound is refused before it is used:\n\n" + Bounds.table());
        document.getComponents()
                .addSchema(
                        NAME,
                        object().addProperty("type", of(SchemaType.STRING))
                                .addProperty("title", of(SchemaType.STRING))
                                .addProperty("status", of(SchemaType.INTEGER))
                                .addProperty("code", of(SchemaType.STRING))
                                .addProperty("detail", of(SchemaType.STRING))
                                .addProperty("retryable", of(SchemaType.BOOLEAN))
                                .addProperty("limit", limit())
                                .required(List.of("type", "title", "status", "code", "detail", "retryable")));
    }

    /** The schema of the limit that was reached. */
    private static Schema limit() {
        return object().addProperty("name", of(SchemaType.STRING))
                .addProperty("used", of(SchemaType.INTEGER))
                .addProperty("asked", of(SchemaType.INTEGER))
                .addProperty("allowed", of(SchemaType.INTEGER));
    }

    private static Schema object() {
        return of(SchemaType.OBJECT);
    }

    private static Schema of(SchemaType type) {
        return OASFactory.createSchema().addType(type);
    }
}
