package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The document of the API that is committed is what the code says. */
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
