package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolsApiTest {
    private static final String HASH = "ab".repeat(32);

    private final Tenant operator = Tenant.operator();
    private final Tenant tenant = Tenant.create();
    private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);
    private final String path = "/v1/pools/" + name;
    /** A lease that no other test's pool has. */
    private final String lease = "PT" + (60 + Math.abs(name.hashCode() % 100_000)) + "S";

    @AfterEach
    void remove() {
        operator.delete(path);
    }

    private void make(int min) {
        operator.put(path, Map.of("gpu", "A100", "min", min, "max", 8, "lease", lease, "idle", "PT0S"))
                .statusCode(201)
                .body("version", equalTo(1));
    }

    private List<String> awaitReady(int count) {
        return Await.present(count + " members are ready", () -> {
            List<String> ready = operator.get(path).extract().path("members.findAll { it.phase == 'READY' }.machine");
            return ready.size() == count ? Optional.of(ready) : Optional.empty();
        });
    }

    @Test
    void requestGetsAMachineThatWaits() {
        make(2);
        List<String> members = awaitReady(2);
        String id = Tenant.draw();
        tenant.put(Tenant.path(id), Map.of("gpu", "A100", "lease", lease, "tokenSha256", HASH))
                .statusCode(201)
                .body("phase", equalTo("BIND"))
                .body("endpoint.host", equalTo("192.0.2.1"));
        tenant.await(id, "READY");
        tenant.get(Tenant.path(id) + "/grants").body("items[0].told", equalTo(true));
        List<String> refilled = awaitReady(2);
        assertEquals(1, refilled.stream().filter(members::contains).count(), "the other one waits on, and one is new");
        tenant.post(Tenant.path(id) + ":end", Map.of()).statusCode(202);
        tenant.await(id, "ENDED").body("endReason", equalTo("REQUESTED"));
        operator.get(path).body("members.machine", not(hasItem(id)));
    }

    @Test
    void requestOfAnotherKindStartsAMachineOfItsOwn() {
        make(1);
        List<String> members = awaitReady(1);
        for (Map<String, ?> other : List.of(
                Map.of("gpu", "A100", "life", "PT1H"),
                Map.of("gpu", "L4", "lease", lease),
                Map.of("gpu", "A100", "lease", lease, "idle", "PT1M"))) {
            String id = Tenant.draw();
            tenant.put(Tenant.path(id), other).statusCode(201).body("phase", equalTo("POSITION"));
        }
        assertEquals(members, awaitReady(1));
    }

    @Test
    void machineIsClaimedOnce() throws Exception {
        make(8);
        awaitReady(8);
        List<String> ids = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<String>> asked = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                asked.add(threads.submit(() -> {
                    String id = Tenant.draw();
                    tenant.put(Tenant.path(id), Map.of("gpu", "A100", "lease", lease))
                            .statusCode(201);
                    return id;
                }));
            }
            for (Future<String> one : asked) {
                ids.add(one.get());
            }
        }
        ids.forEach(id -> tenant.await(id, "READY"));
        List<String> suppliers = BackendProcess.shared().claimed().stream()
                .map(line -> line.split(" "))
                .filter(claimed -> ids.contains(claimed[0]))
                .map(claimed -> claimed[1])
                .toList();
        assertEquals(suppliers.size(), new HashSet<>(suppliers).size(), "each has a machine of its own");
        assertTrue(suppliers.size() > 0);
    }

    @Test
    void pausedPoolKeepsNothing() {
        make(1);
        awaitReady(1);
        operator.put(path, Map.of("gpu", "A100", "min", 1, "lease", lease, "paused", true))
                .statusCode(200);
        Await.until(
                "the pool is empty",
                () -> operator.get(path).extract().<List<?>>path("members").isEmpty());
    }

    @Test
    void otherMachinesTakeThePlaceOfThoseThatDoNotFitAnyMore() {
        make(1);
        List<String> before = awaitReady(1);
        operator.put(path, Map.of("gpu", "L4", "min", 1, "lease", lease)).statusCode(200);
        assertTrue(awaitReady(1).stream().noneMatch(before::contains));
    }

    @Test
    void malformedPoolIsRefusedNamingTheField() {
        operator.put(path, Map.of("min", 3, "max", 2)).statusCode(422).body("detail", containsString("min, max"));
        operator.put(path, Map.of("max", 0)).statusCode(422);
        operator.put(path, Map.of("lease", "PT1S")).statusCode(422).body("detail", containsString("lease"));
        operator.put(path, Map.of("idle", "-PT1S")).statusCode(422).body("detail", containsString("idle"));
        operator.put(path, Map.of("gpu", "A1000")).statusCode(422).body("detail", containsString("A100"));
        operator.put("/v1/pools/Not_A_Name", Map.of()).statusCode(422).body("detail", containsString("name"));
        operator.get(path).statusCode(404);
        operator.delete(path).statusCode(404);
    }

    @Test
    void changeOfAStaleVersionIsRefused() {
        make(0);
        operator.request()
                .header("If-Match", "\"7\"")
                .body(Map.of())
                .put(path)
                .then()
                .statusCode(412)
                .body("code", equalTo("changed-since"));
        operator.request()
                .header("If-None-Match", "*")
                .body(Map.of())
                .put(path)
                .then()
                .statusCode(412);
    }

    @Test
    void poolsAreOfOperatorsOnly() {
        make(0);
        tenant.get("/v1/pools").statusCode(403);
        tenant.get(path).statusCode(403);
        tenant.put(path, Map.of()).statusCode(403);
        tenant.delete(path).statusCode(403);
        operator.get("/v1/pools?limit=500").body("items.name", hasItem(name));
        operator.post("/v1/organisations", Map.of("name", "outpost.pools")).statusCode(422);
        operator.get("/v1/pools?limit=1").body("items", hasSize(1)).body("items.version", everyItem(equalTo(1)));
    }
}
