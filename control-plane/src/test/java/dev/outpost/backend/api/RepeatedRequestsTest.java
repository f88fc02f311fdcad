package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import io.restassured.response.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that is repeated because its answer was lost has its effect once. */
class RepeatedRequestsTest {
    private final Tenant tenant = Tenant.create();

    private Response extend(String id, String once, String by) {
        return tenant.request()
                .header("Idempotency-Key", once)
                .body(Map.of("by", by))
                .post(Tenant.path(id) + ":extend");
    }

    @Test
    void repeatedExtensionIsMadeOnce() {
        String id = tenant.startReady();
        Instant before = Instant.parse(tenant.get(Tenant.path(id)).extract().path("endsAt"));
        for (int i = 0; i < 3; i++) {
            extend(id, "e1", "PT30M")
                    .then()
                    .statusCode(200)
                    .body("endsAt", equalTo(before.plusSeconds(1800).toString()));
        }
        extend(id, "e1", "PT40M").then().statusCode(409);
        extend(id, "e2", "PT30M")
                .then()
                .statusCode(200)
                .body("endsAt", equalTo(before.plusSeconds(3600).toString()));
        extend(id, "x".repeat(201), "PT30M").then().statusCode(400);
        Tenant other = Tenant.create();
        String theirs = other.startReady();
        other.request()
                .header("Idempotency-Key", "e1")
                .body(Map.of("by", "PT1M"))
                .post(Tenant.path(theirs) + ":extend")
                .then()
                .statusCode(200);
    }

    /** The first request came before the replica was upgraded, or at a replica that is not upgraded yet. */
    @Test
    void requestThatAnOlderVersionHasDoneIsNotDoneAgain() {
        Map<String, ?> key = Map.of("name", "ci", "scopes", List.of("READ"));
        String made = createKey(tenant, key).then().statusCode(201).extract().path("id");
        BackendProcess.shared().keepAnswersAsBefore(tenant.name());
        createKey(tenant, key).then().statusCode(201).body("id", equalTo(made));
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
        Tenant ofProject =
                tenant.with(Map.of("name", "admin", "scopes", List.of("READ", "ADMIN"), "project", "vision"));
        createKey(ofProject, key).then().statusCode(201).body("id", not(equalTo(made)));
    }

    private static Response createKey(Tenant caller, Map<String, ?> key) {
        return caller.request().header("Idempotency-Key", "k0").body(key).post("/v1/keys");
    }

    @Test
    void repeatedOrganisationIsMadeOnceAndItsKeyShownOnce() {
        Tenant operator = Tenant.operator();
        String name = "o" + Tenant.draw().substring(0, 8);
        String once = UUID.randomUUID().toString();
        var first = operator.request()
                .header("Idempotency-Key", once)
                .body(Map.of("name", name))
                .post("/v1/organisations");
        first.then().statusCode(201);
        var again = operator.request()
                .header("Idempotency-Key", once)
                .body(Map.of("name", name))
                .post("/v1/organisations");
        again.then().statusCode(201).body("name", equalTo(name));
        assertTrue(first.asString().contains("op_"), first::asString);
        assertTrue(!again.asString().contains("op_"), again::asString);
        List<String> names = new ArrayList<>();
        String next = "";
        while (next != null) {
            var page = operator.get("/v1/organisations?limit=3" + (next.isEmpty() ? "" : "&cursor=" + next))
                    .statusCode(200)
                    .extract();
            names.addAll(page.path("items"));
            next = page.path("next");
        }
        assertEquals(1, names.stream().filter(name::equals).count());
        assertEquals(names.stream().sorted().toList(), names);
        tenant.post("/v1/organisations", Map.of("name", "mine")).statusCode(403);
    }

    @Test
    void concurrentIdenticalPostsAreDoneOnce() throws Exception {
        CyclicBarrier together = new CyclicBarrier(4);
        List<Future<Response>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                answers.add(threads.submit(() -> {
                    together.await(Await.GUARD.toSeconds(), TimeUnit.SECONDS);
                    return tenant.request()
                            .header("Idempotency-Key", "k1")
                            .body(Map.of("name", "ci", "scopes", List.of("READ")))
                            .post("/v1/keys");
                }));
            }
        }
        int shown = 0;
        for (Future<Response> answer : answers) {
            answer.get().then().statusCode(201);
            shown += answer.get().asString().contains("op_") ? 1 : 0;
        }
        assertEquals(1, shown, "the key is shown to one of them");
        tenant.get("/v1/keys").body("items.findAll { it.name == 'ci' }.size()", equalTo(1));
    }

    @Test
    void concurrentPutsMakeOneMachine() throws Exception {
        String id = Tenant.draw();
        CyclicBarrier together = new CyclicBarrier(4);
        List<Future<Integer>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                answers.add(threads.submit(() -> {
                    together.await(Await.GUARD.toSeconds(), TimeUnit.SECONDS);
                    return tenant.request()
                            .body(Map.of("gpu", "A100", "life", "PT1H"))
                            .put(Tenant.path(id))
                            .statusCode();
                }));
            }
        }
        List<Integer> statuses = new ArrayList<>();
        for (Future<Integer> answer : answers) {
            statuses.add(answer.get());
        }
        assertEquals(1, statuses.stream().filter(status -> status == 201).count(), statuses::toString);
        assertEquals(3, statuses.stream().filter(status -> status == 200).count(), statuses::toString);
        tenant.await(id, "READY");
        tenant.get(Tenant.path(id) + "/events").body("items.findAll { it.type == 'CREATED' }.size()", equalTo(1));
    }

    @Test
    void pricesComeInPages() {
        Tenant operator = Tenant.operator();
        operator.put("/v1/prices", Map.of("gpu", "L4", "perHour", 1, "from", "2100-01-01T00:00:00Z"))
                .statusCode(200);
        operator.put("/v1/prices", Map.of("gpu", "L4", "perHour", 2, "from", "2101-01-01T00:00:00Z"))
                .statusCode(200);
        List<String> seen = new ArrayList<>();
        String next = "";
        while (next != null) {
            var page = tenant.get("/v1/prices?limit=1" + (next.isEmpty() ? "" : "&cursor=" + next))
                    .statusCode(200)
                    .extract();
            seen.addAll(page.path("items.from"));
            next = page.path("next");
        }
        tenant.get("/v1/prices").body("items.from", hasItem("2101-01-01T00:00:00Z"));
        assertEquals(seen, tenant.get("/v1/prices").extract().path("items.from"));
        tenant.get("/v1/prices?cursor=nonsense").statusCode(422);
    }

    @Test
    void quotasComeInPages() {
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
        for (Map<String, ?> quota : List.<Map<String, ?>>of(
                Map.of("resource", "MACHINES", "allowed", 9),
                Map.of("resource", "GPUS", "allowed", 8),
                Map.of("resource", "GPUS", "gpu", "A100", "allowed", 4),
                Map.of("resource", "GPUS", "project", "vision", "allowed", 2))) {
            tenant.put("/v1/quotas", quota).statusCode(200);
        }
        List<String> names =
                List.of("organisation/gpus", "organisation/gpus:A100", "organisation/machines", "project/gpus");
        assertEquals(names, pages(tenant, "/v1/quotas", "items.name"));
        assertEquals(names, tenant.get("/v1/quotas").extract().path("items.name"));
        tenant.get("/v1/quotas?limit=0").statusCode(422);
        tenant.get("/v1/quotas?cursor=nonsense").statusCode(422);
        Tenant other = tenant.with(Map.of("name", "other", "scopes", List.of("READ"), "project", "default"));
        assertEquals(names.subList(0, 3), pages(other, "/v1/quotas", "items.name"));
    }

    @Test
    void clustersComeInPages() {
        Tenant operator = Tenant.operator();
        for (String name : List.of("paged-b", "paged-a", "paged-c")) {
            operator.put("/v1/clusters/" + name, Map.of("provider", "paper", "state", "CORDONED"))
                    .statusCode(200);
        }
        List<String> seen = pages(operator, "/v1/clusters", "items.name");
        assertEquals(seen.stream().sorted().distinct().toList(), seen);
        assertTrue(seen.containsAll(List.of("paged-a", "paged-b", "paged-c")), seen::toString);
    }

    /** A cursor that no page has given, with a character that the database refuses. */
    @ParameterizedTest
    @ValueSource(strings = {"clusters", "quotas", "projects", "keys", "members", "organisations", "prices"})
    void aCursorWithAControlCharacterIsRefused(String list) {
        Tenant.operator()
                .get("/v1/" + list + "?cursor=IAAgIA")
                .statusCode(422)
                .body("detail", containsString("cursor"));
    }

    /** All items, read one by one. */
    private static List<String> pages(Tenant tenant, String path, String items) {
        List<String> seen = new ArrayList<>();
        String next = "";
        while (next != null) {
            var page = tenant.get(path + "?limit=1" + (next.isEmpty() ? "" : "&cursor=" + next))
                    .statusCode(200)
                    .extract();
            seen.addAll(page.path(items));
            next = page.path("next");
        }
        return seen;
    }
}
