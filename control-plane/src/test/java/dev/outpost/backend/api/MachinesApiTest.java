package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MachinesApiTest {
    private static final Map<String, ?> HOUR = Map.of("gpu", "A100", "life", "PT1H");

    private final Tenant tenant = Tenant.create();

    @Test
    void machineBecomesReadyAndEnds() {
        String id = tenant.startReady();
        tenant.get(Tenant.path(id))
                .body("endpoint.host", equalTo("192.0.2.1"))
                .body("endpoint.certificate", notNullValue())
                .body("cluster", equalTo("paper"))
                .body("endsAt", notNullValue());
        tenant.post(Tenant.path(id) + ":end", Map.of()).statusCode(202);
        tenant.await(id, "ENDED").body("endReason", equalTo("REQUESTED"));
        tenant.get(Tenant.path(id) + "/events")
                .body("items.type", hasItems("CREATED", "ADMITTED", "READY", "END_ASKED", "ENDED"));
        tenant.get("/v1/machines").body("items", hasSize(0));
        tenant.get("/v1/machines?ended=true").body("items.id", hasItem(id));
    }

    @Test
    void repeatedPutChangesNothing() {
        String id = Tenant.draw();
        tenant.put(Tenant.path(id), HOUR).statusCode(201);
        tenant.put(Tenant.path(id), HOUR).statusCode(200).body("id", equalTo(id));
        tenant.get("/v1/machines").body("items", hasSize(1));
        tenant.put(Tenant.path(id), Map.of("gpu", "L4", "life", "PT1H"))
                .statusCode(409)
                .body("code", equalTo("conflict"));
    }

    @Test
    void malformedRequestIsRefusedNamingTheField() {
        String path = Tenant.path(Tenant.draw());
        tenant.put(path, Map.of("gpu", "A1000", "life", "PT1H")).statusCode(422).body("detail", containsString("A100"));
        tenant.put(path, Map.of("gpu", "A100")).statusCode(422).body("detail", containsString("life, lease"));
        tenant.put(path, Map.of("gpu", "A100", "life", "PT0S")).statusCode(422);
        tenant.put(path, Map.of("gpu", "A100", "life", "PT1H", "gpus", 2)).statusCode(422);
        tenant.put(path, Map.of("gpu", "A100", "life", "PT1H", "tokenSha256", "secret"))
                .statusCode(422)
                .body("detail", not(containsString("secret ")));
        tenant.put(path, Map.of("gpu", "A100", "life", "PT1H", "wish", 1))
                .statusCode(400)
                .body("detail", containsString("wish is unknown"));
        tenant.put(path, Map.of("gpu", "A100", "life", "soon")).statusCode(400).body("code", equalTo("bad-request"));
        tenant.put(Tenant.path("my-machine"), HOUR).statusCode(422).body("detail", containsString("UUID"));
        tenant.put(path, Map.of("gpu", "A100", "life", "PT1H", "project", "none"))
                .statusCode(404);
        tenant.request().body("{").put(path).then().statusCode(400);
        tenant.request().put(path).then().statusCode(400);
        tenant.request().contentType("text/plain").body("x").put(path).then().statusCode(415);
    }

    @Test
    void extendedMachineLivesLonger() {
        String id = tenant.startReady();
        String before = tenant.get(Tenant.path(id)).extract().path("endsAt");
        tenant.post(Tenant.path(id) + ":extend", Map.of("by", "PT30M"))
                .statusCode(200)
                .body(
                        "endsAt",
                        equalTo(java.time.Instant.parse(before)
                                .plusSeconds(1800)
                                .toString()));
        tenant.post(Tenant.path(id) + ":extend", Map.of()).statusCode(422);
        tenant.post(Tenant.path(id) + ":extend", Map.of("by", "-PT1M")).statusCode(422);
        tenant.post(Tenant.path(id) + ":end", Map.of()).statusCode(202);
        tenant.await(id, "ENDED");
        tenant.post(Tenant.path(id) + ":extend", Map.of("by", "PT30M")).statusCode(409);
    }

    @Test
    void machineOfAnotherTenantIsNotFound() {
        String id = tenant.start();
        Tenant other = Tenant.create();
        for (String path : new String[] {"", "/events", "/logs", "/grants"}) {
            other.get(Tenant.path(id) + path).statusCode(404).body("code", equalTo("not-found"));
        }
        other.post(Tenant.path(id) + ":end", Map.of()).statusCode(404);
        other.post(Tenant.path(id) + ":extend", Map.of("by", "PT1M")).statusCode(404);
        other.post(Tenant.path(id) + "/grants", Map.of("tokenSha256", "ab".repeat(32)))
                .statusCode(404);
        other.put(Tenant.path(id), HOUR).statusCode(404);
        other.get("/v1/usage/" + id).statusCode(404);
        other.get("/v1/machines?ended=true").body("items", hasSize(0));
    }

    @Test
    void projectKeySeesItsProjectOnly() {
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
        Tenant vision =
                tenant.with(Map.of("name", "v", "project", "vision", "scopes", java.util.List.of("READ", "MACHINES")));
        String elsewhere = tenant.start();
        String own = vision.start();
        vision.get(Tenant.path(own)).statusCode(200).body("project", equalTo("vision"));
        vision.get(Tenant.path(elsewhere)).statusCode(404);
        vision.get("/v1/machines").body("items.id", containsInAnyOrder(own));
        vision.get("/v1/machines?project=default").statusCode(404);
        tenant.get("/v1/machines").body("items.id", containsInAnyOrder(own, elsewhere));
    }

    @Test
    void machinesComeInPages() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            ids.add(tenant.start());
        }
        Set<String> seen = new HashSet<>();
        String next = "";
        int pages = 0;
        while (next != null) {
            var page = tenant.get("/v1/machines?limit=2" + (next.isEmpty() ? "" : "&cursor=" + next))
                    .statusCode(200)
                    .extract();
            seen.addAll(page.path("items.id"));
            next = page.path("next");
            pages++;
        }
        assertEquals(ids, seen);
        assertEquals(3, pages);
        tenant.get("/v1/machines?limit=0").statusCode(422);
        tenant.get("/v1/machines?cursor=nonsense").statusCode(422);
    }

    @Test
    void knownVersionIsAnsweredAsNotModified() {
        String id = tenant.startReady();
        String tag = tenant.get(Tenant.path(id)).extract().header("ETag");
        assertTrue(tag.matches("\"\\d+\""), tag);
        tenant.request()
                .header("If-None-Match", tag)
                .get(Tenant.path(id))
                .then()
                .statusCode(304);
    }

    /** A plan once ignored budgets. */
    @Test
    void planSaysThatABudgetRefusesTheStart() {
        Tenant.operator()
                .put("/v1/prices", Map.of("gpu", "L40S", "perHour", 3.6))
                .statusCode(200);
        tenant.put(
                        "/v1/budgets",
                        Map.of(
                                "period",
                                "DAY",
                                "cap",
                                0.001,
                                "thresholds",
                                List.of(Map.of("percent", 100, "action", "REFUSE"))))
                .statusCode(200);
        tenant.post("/v1/machines:plan", Map.of("gpu", "L40S", "life", "2h"))
                .statusCode(200)
                .body("startsNow", equalTo(false))
                .body("why", containsString("budget organisation/day"))
                .body("limit.name", equalTo("budget/organisation/day"));
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "L40S", "life", "2h"))
                .statusCode(422)
                .body("code", equalTo("budget-exceeded"));
    }

    @Test
    void problemsListTheAllowedValues() {
        tenant.put("/v1/budgets", Map.of("period", "YEAR", "cap", 1))
                .statusCode(400)
                .body(
                        "detail",
                        equalTo(
                                "body: period is not of the form expected; expected one of DAY, WEEK, MONTH, LIFETIME"));
        tenant.delete("/v1/budgets?period=YEAR")
                .statusCode(422)
                .body("detail", equalTo("period: expected one of DAY, WEEK, MONTH, LIFETIME, got another value"));
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "A100", "life", "soon"))
                .statusCode(400)
                .body(
                        "detail",
                        equalTo("body: life is not of the form expected; expected a duration such as 30s, 15m or 24h"));
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "A100", "life", "999999d"))
                .statusCode(422)
                .body("detail", equalTo("life: expected a time span of up to 36525 days"));
        tenant.put("/v1/budgets", Map.of("period", "DAY", "limit", 1))
                .statusCode(400)
                .body(
                        "detail",
                        equalTo("body: limit is unknown; expected one of cap, key, period, project, thresholds"));
    }

    @Test
    void planSaysWhetherAMachineWouldStart() {
        tenant.post("/v1/machines:plan", Map.of("gpu", "A100"))
                .statusCode(200)
                .body("startsNow", equalTo(true))
                .body("cluster", equalTo("paper"));
        tenant.put("/v1/quotas", Map.of("resource", "GPUS", "allowed", 0)).statusCode(200);
        tenant.post("/v1/machines:plan", Map.of("gpu", "A100"))
                .statusCode(200)
                .body("startsNow", equalTo(false))
                .body("why", equalTo("quota organisation/gpus: 0 of 0 used, 1 asked"))
                .body("limit.allowed", equalTo(0));
        tenant.post("/v1/machines:plan", Map.of("gpu", "A1000")).statusCode(422);
    }

    @Test
    void planAsksTheClusterForAFreeGpu() {
        tenant.post("/v1/machines:plan", Map.of("gpu", "L40S"))
                .statusCode(200)
                .body("startsNow", equalTo(true))
                .body("device", equalTo("the device gpu-0 of node-1 (NVIDIA L40S)"));
        tenant.post("/v1/machines:plan", Map.of("gpu", "H200"))
                .statusCode(200)
                .body("startsNow", equalTo(false))
                .body("why", equalTo("no node publishes a device of the class gpu.nvidia.com"))
                .body("cluster", equalTo("paper"));
        tenant.post("/v1/machines:plan", Map.of("gpu", "A100")).body("device", nullValue());
    }

    @Test
    void machineLogComesFromItsCluster() {
        String id = tenant.startReady();
        tenant.request()
                .accept("text/plain")
                .get(Tenant.path(id) + "/logs")
                .then()
                .statusCode(200)
                .contentType("text/plain")
                .body(equalTo("folded\n"));
    }

    /** The machine prints nothing, so no line of its log reveals its end. */
    @Test
    void followedLogOfARevokedKeyEnds() throws Exception {
        String id = tenant.startReady();
        var made = tenant.post("/v1/keys", Map.of("name", "reader", "scopes", List.of("READ")))
                .statusCode(201)
                .extract();
        HttpResponse<InputStream> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        BackendProcess.shared().address() + Tenant.path(id) + "/logs?follow=true"))
                                .header("Authorization", "Bearer " + made.path("key"))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        assertEquals(200, response.statusCode());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertEquals("folded", Await.within("the first line", lines::readLine));
            tenant.delete("/v1/keys/" + made.path("id")).statusCode(204);
            assertNull(Await.within("the end of the log", lines::readLine));
        }
        tenant.get(Tenant.path(id)).body("state", equalTo("READY"));
    }
}
