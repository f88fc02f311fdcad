package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The committed document of the API equals the one that is generated from the code. */
class OpenApiTest {
    private static final Path COMMITTED = Path.of("..", "docs", "backend-api.yaml");
    private static final Path WRITTEN = Path.of("target", "backend-api.yaml");

    @Test
    void committedDocumentEqualsTheServedOne() throws IOException {
        String served = given().baseUri(BackendProcess.shared().address())
                .get("/q/openapi?format=yaml")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        Files.writeString(WRITTEN, served);
        assertEquals(
                Files.exists(COMMITTED) ? Files.readString(COMMITTED) : "",
                served,
                "copy " + WRITTEN + " to docs/backend-api.yaml, and read what changed");
    }
}
