package dev.outpost.backend.api;

import jakarta.ws.rs.core.Application;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;

/** The part of the API's description that applies to every call. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Outpost backend",
                        version = "1",
                        description = "Machines with GPUs for a team. Refusals are problem documents (RFC 9457)."),
        security = @SecurityRequirement(name = "key"))
@SecurityScheme(
        securitySchemeName = "key",
        type = SecuritySchemeType.HTTP,
        scheme = "bearer",
        description = "op_<id>_<secret>")
public class BackendApi extends Application {}
