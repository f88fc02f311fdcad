package dev.outpost.runtime.server;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.InputStream;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * The OpenAPI document from the sources. Quarkus would generate it at each start, which takes a seventh of the start
 * time.
 */
@Path("q/openapi")
public class OpenApiResource {
    @GET
    @Produces("application/yaml")
    @Operation(hidden = true)
    public InputStream document() {
        return OpenApiResource.class.getResourceAsStream("/openapi.yaml");
    }
}
