package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpusApiTest {
    private final Tenant tenant = Tenant.create();

    @Test
    void pagesTogetherHaveEachKindOnce() {
        List<String> whole = tenant.get("/v1/gpus?limit=500").extract().path("items.name");
        List<String> seen = new ArrayList<>();
        String next = "/v1/gpus?limit=5";
        while (next != null) {
            ValidatableResponse page = tenant.get(next).statusCode(200);
            seen.addAll(page.extract().path("items.name"));
            String cursor = page.extract().path("next");
            next = cursor == null ? null : "/v1/gpus?limit=5&cursor=" + cursor;
        }
        assertEquals(whole, seen);
        assertEquals("any", seen.getLast());
    }

    @Test
    void limitBoundsThePage() {
        tenant.get("/v1/gpus?limit=3").body("items", hasSize(3));
        tenant.get("/v1/gpus?limit=501").statusCode(422).body("detail", containsString("limit"));
    }

    @Test
    void foreignCursorIsRefused() {
        tenant.get("/v1/gpus?cursor=YQ").statusCode(422).body("detail", containsString("cursor"));
    }
}
