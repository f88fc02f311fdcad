package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import dev.outpost.backend.worker.WorkerSecret;
import io.restassured.http.ContentType;
import io.restassured.response.ExtractableResponse;
import io.restassured.response.ValidatableResponse;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class WorkerApiTest {
    private static final String CERTIFICATE = "0c".repeat(32);

    private final Tenant operator = Tenant.operator();
    private final String name = "w" + UUID.randomUUID().toString().substring(0, 8);
    private final String path = "/v1/clusters/" + name;
    private final String key = "wk_" + name + "_" + "k".repeat(43);

    private String code() {
        operator.put(path, Map.of("provider", "worker")).statusCode(200);
        return operator.post(path + ":pair", Map.of())
                .statusCode(201)
                .body("code", matchesPattern("wc_" + name + "_.*"))
                .extract()
                .path("code");
    }

    private static ValidatableResponse by(String secret, String call, Map<String, ?> body) {
        return given().baseUri(BackendProcess.shared().address())
                .header("Authorization", "Bearer " + secret)
                .contentType(ContentType.JSON)
                .body(body)
                .post("/v1/worker/" + call)
                .then();
    }

    private ValidatableResponse orders(String secret) {
        return orders(secret, "");
    }

    private ValidatableResponse orders(String secret, String query) {
        return given().baseUri(BackendProcess.shared().address())
                .header("Authorization", "Bearer " + secret)
                .get("/v1/worker/orders" + query)
                .then();
    }

    private static Map<String, ?> pairing(String key) {
        return Map.of(
                "keySha256", HexFormat.of().formatHex(WorkerSecret.hash(key)), "gpus", List.of("any"), "machines", 2);
    }

    private void join() {
        by(code(), "join", pairing(key)).statusCode(200).body("cluster", equalTo(name));
    }

    private static Map<String, ?> report(long read, Object... list) {
        return Map.of("host", "lab", "version", "1", "read", read, "list", List.of(list));
    }

    @Test
    void aHostIsPairedOnceByItsCode() {
        String code = code();
        by(code, "join", pairing(key)).statusCode(200).body("cluster", equalTo(name));
        operator.get(path).body("gpus", equalTo(List.of("any"))).body("machines", equalTo(2));
        by(code, "join", pairing(key)).statusCode(401).body("detail", containsString("is not paired"));
        orders(key).statusCode(200).body("machines", hasSize(0));
        orders(code).statusCode(401);
        orders(key + "x").statusCode(401);
        orders("wk_other_" + "k".repeat(43)).statusCode(401);
    }

    @Test
    void anotherHostTakesThePlaceOfTheFirst() {
        join();
        String second = "wk_" + name + "_" + "s".repeat(43);
        by(code(), "join", pairing(second)).statusCode(200);
        orders(second).statusCode(200);
        orders(key).statusCode(401);
    }

    @Test
    void malformedPairingIsRefusedAndCostsNoCode() {
        String code = code();
        by(code, "join", Map.of()).statusCode(422);
        by(code, "join", Map.of("keySha256", "short", "gpus", List.of("any"), "machines", 1))
                .statusCode(422);
        String hash = HexFormat.of().formatHex(WorkerSecret.hash(key));
        by(code, "join", Map.of("keySha256", hash, "gpus", List.of(), "machines", 1))
                .statusCode(422);
        by(code, "join", Map.of("keySha256", hash, "gpus", List.of("any"), "machines", 0))
                .statusCode(422);
        by(code, "join", Map.of("keySha256", hash, "gpus", List.of("A1000"), "machines", 1))
                .statusCode(422)
                .body("detail", containsString("A100"));
        by(code, "join", pairing(key)).statusCode(200);
    }

    @Test
    void onlyAWorkerHostIsPairedAndOnlyByAnOperator() {
        Tenant tenant = Tenant.create();
        operator.post("/v1/clusters/paper:pair", Map.of()).statusCode(409).body("detail", containsString("worker"));
        operator.post("/v1/clusters/" + name + ":pair", Map.of()).statusCode(404);
        tenant.post(path + ":pair", Map.of()).statusCode(403);
        operator.put(path, Map.of("provider", "worker", "options", Map.of("colour", "blue")))
                .statusCode(422)
                .body("detail", containsString("colour"));
    }

    /** A key of the API gives no access to a worker's calls, and a worker's key none to the API. */
    @Test
    void workerKeysAndApiKeysOpenTheirOwnCallsOnly() {
        join();
        orders(operator.key()).statusCode(401);
        given().baseUri(BackendProcess.shared().address())
                .header("Authorization", "Bearer " + key)
                .get("/v1/machines")
                .then()
                .statusCode(401);
        given().baseUri(BackendProcess.shared().address())
                .get("/v1/worker/orders")
                .then()
                .statusCode(401);
    }

    @Test
    void aReportMustBeWhole() {
        join();
        by(key, "report", Map.of("host", "lab", "version", "1"))
                .statusCode(422)
                .body("detail", containsString("read, list"));
        by(key, "report", Map.of("read", 0, "list", List.of())).statusCode(422).body("detail", containsString("host"));
        Map<String, ?> homeless = Map.of(
                "id", "a", "epoch", 1, "applied", 1, "state", "READY", "reason", "x", "since", "2026-01-01T00:00:00Z");
        by(key, "report", report(0, homeless)).statusCode(422);
        Map<String, ?> odd = Map.of(
                "id",
                "A!",
                "epoch",
                1,
                "applied",
                1,
                "state",
                "STARTING",
                "reason",
                "x",
                "since",
                "2026-01-01T00:00:00Z");
        by(key, "report", report(0, odd)).statusCode(422);
        by(key, "report", report(0)).statusCode(204);
    }

    /** Starts a machine that only this host can have, because no other cluster has its kind. */
    private void withServedMachine(BiConsumer<Tenant, String> test) {
        join();
        operator.put(path, Map.of("gpus", List.of("L4"))).statusCode(200);
        by(key, "report", report(0)).statusCode(204);
        Tenant tenant = Tenant.create();
        operator.put("/v1/clusters/paper", Map.of("gpus", List.of("A100"))).statusCode(200);
        try {
            String id = Tenant.draw();
            tenant.put(Tenant.path(id), Map.of("gpu", "L4", "life", "PT1H")).statusCode(201);
            tenant.awaitPhase(id, "NODE");
            orders(key).body("machines[0].id", equalTo(id)).body("machines[0].gpu", equalTo("L4"));
            int version = orders(key).extract().path("machines[0].version");
            by(key, "report", report(version, served(id, version))).statusCode(204);
            tenant.await(id, "READY")
                    .body("endpoint.host", equalTo("192.0.2.7"))
                    .body("cluster", equalTo(name));
            test.accept(tenant, id);
        } finally {
            operator.put("/v1/clusters/paper", Map.of("gpus", List.of())).statusCode(200);
        }
    }

    private static Map<String, ?> served(String id, int version) {
        return Map.of(
                "id",
                id,
                "epoch",
                1,
                "applied",
                version,
                "state",
                "READY",
                "reason",
                "it serves",
                "since",
                "2026-01-01T00:00:00Z",
                "host",
                "192.0.2.7",
                "port",
                4711,
                "certificate",
                CERTIFICATE);
    }

    /** The row changes first, and then the host gets the order. */
    private int awaitEnding() {
        int version = -1;
        for (int attempt = 0; attempt < 20; attempt++) {
            ExtractableResponse<?> orders =
                    orders(key, "?wait=1&after=" + version).extract();
            version = orders.path("version");
            if (orders.path("machines[0].ending").equals(true)) {
                return version;
            }
        }
        throw new AssertionError("the host was not told to end its machine: "
                + orders(key).extract().asString());
    }

    private void assertEndsWhenTheHostSaysSo(Tenant tenant, String id) {
        tenant.await(id, "ENDING");
        int ending = awaitEnding();
        by(key, "report", report(ending)).statusCode(204);
        tenant.await(id, "ENDED").body("endReason", equalTo("REQUESTED"));
        orders(key).body("machines", hasSize(0));
    }

    @Test
    void aMachineIsOrderedReportedAndEnded() {
        withServedMachine((tenant, id) -> {
            tenant.post(Tenant.path(id) + ":end", Map.of()).statusCode(202);
            assertEndsWhenTheHostSaysSo(tenant, id);
        });
    }

    @Test
    void aCordonedHostKeepsItsMachinesAndADrainedOneIsToldToEndThem() {
        withServedMachine((tenant, id) -> {
            operator.put(path, Map.of("state", "CORDONED")).statusCode(200);
            String late = Tenant.draw();
            tenant.put(Tenant.path(late), Map.of("gpu", "L4", "life", "PT1H")).statusCode(201);
            tenant.awaitPhase(late, "CAPACITY").body("text", containsString("no active cluster has L4"));
            tenant.get(Tenant.path(id)).body("state", equalTo("READY"));
            operator.put(path, Map.of("state", "DRAINING")).statusCode(200);
            assertEndsWhenTheHostSaysSo(tenant, id);
            tenant.post(Tenant.path(late) + ":end", Map.of()).statusCode(202);
        });
    }

    @Test
    void pairingIsAudited() {
        join();
        operator.get("/v1/audit?limit=500")
                .body(
                        "items.findAll { it.target == '" + name + "' }.action.unique().sort()",
                        equalTo(List.of("cluster.set", "worker.code", "worker.pair")))
                .body("items.find { it.detail.contains('wc_') }", nullValue());
    }

    private static Map<String, ?> withUse(Map<String, ?> machine, Map<String, ?> use) {
        Map<String, Object> said = new HashMap<>(machine);
        said.put("uses", List.of(use));
        return said;
    }

    /** The backend need not connect to a machine for it, because its host reports it. */
    @Test
    void useOfGrantsIsReportedByTheHost() {
        withServedMachine((tenant, id) -> {
            String hash = "ab".repeat(32);
            tenant.post(Tenant.path(id) + "/grants", Map.of("tokenSha256", hash))
                    .statusCode(202);
            int version = orders(key).extract().path("machines[0].version");
            Map<String, ?> use = Map.of(
                    "tokenSha256",
                    hash,
                    "sessions",
                    2,
                    "liveBytes",
                    1 << 20,
                    "engineNanos",
                    7,
                    "lastSeen",
                    "2026-01-01T00:00:01Z");
            by(key, "report", report(version, withUse(served(id, version), use)))
                    .statusCode(204);
            tenant.get(Tenant.path(id) + "/grants")
                    .body("items.find { it.tokenSha256 == '" + hash + "' }.use.sessions", equalTo(2))
                    .body("items.find { it.tokenSha256 == '" + hash + "' }.use.liveBytes", equalTo(1 << 20));
            Map<String, ?> negative = Map.of("tokenSha256", hash, "sessions", -1, "liveBytes", 0, "engineNanos", 0);
            by(key, "report", report(version, withUse(served(id, version), negative)))
                    .statusCode(422)
                    .body("detail", containsString("uses"));
            Map<String, ?> nameless = Map.of("tokenSha256", "x", "sessions", 1, "liveBytes", 0, "engineNanos", 0);
            by(key, "report", report(version, withUse(served(id, version), nameless)))
                    .statusCode(422);
        });
    }

    @Test
    void reportOfMachinesElsewhereIsDropped() {
        Tenant tenant = Tenant.create();
        String id = tenant.startReady();
        join();
        Map<String, ?> use = Map.of("tokenSha256", "cd".repeat(32), "sessions", 9, "liveBytes", 0, "engineNanos", 0);
        by(key, "report", report(0, withUse(served(id, 0), use))).statusCode(204);
        tenant.get(Tenant.path(id) + "/grants").body("items.findAll { it.use != null }", hasSize(0));
    }

    @Test
    void aClusterShowsWhatItsHostSaidOfItself() {
        join();
        operator.get(path).body("worker", nullValue());
        by(key, "report", report(0)).statusCode(204);
        operator.get(path).body("worker.host", equalTo("lab")).body("worker.program", equalTo("1"));
    }
}
