package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeploymentsApiTest {
    private static final Map<String, ?> CHAT = Map.of("model", "file:/models/chat", "gpu", "L4", "max", 4);
    private static final String PATH = "/v1/deployments/chat";

    private final Tenant tenant = Tenant.create();
    private final String gateway = "gw-" + UUID.randomUUID().toString().substring(0, 8);

    private ValidatableResponse report(int held, List<Map<String, ?>> replicas) {
        return tenant.put(
                        "/v1/gateways/" + gateway,
                        Map.of("deployments", List.of(Map.of("name", "chat", "held", held, "replicas", replicas))))
                .statusCode(200);
    }

    private static Map<String, ?> replica(String machine, String state, int requests) {
        return Map.of("machine", machine, "state", state, "requests", requests);
    }

    /** Reports the same until the orders are as expected. */
    private ValidatableResponse reportUntil(int held, List<Map<String, ?>> replicas, String path, Object value) {
        return Await.present(path + " is " + value, () -> {
            ValidatableResponse orders = report(held, replicas);
            return value.equals(orders.extract().path(path)) ? Optional.of(orders) : Optional.empty();
        });
    }

    private static String machine(ValidatableResponse orders) {
        return orders.extract().path("deployments[0].replicas[0].machine");
    }

    @Test
    void deploymentScalesFromZeroToOneAndBack() {
        tenant.put(PATH, Map.of("model", "file:/models/chat", "max", 2, "idle", "PT0S"))
                .statusCode(201)
                .body("wanted", equalTo(0))
                .body("revisions[0].gpu", equalTo("any"));
        report(0, List.of()).body("deployments[0].replicas", hasSize(0));
        String machine = machine(reportUntil(1, List.of(), "deployments[0].replicas[0].phase", "READY"));
        tenant.get(Tenant.path(machine)).body("owner", equalTo("deployment chat"));
        report(1, List.of(replica(machine, "SERVING", 0)));
        reportUntil(0, List.of(replica(machine, "SERVING", 1)), "deployments[0].text", "1 of 1 replicas serve");
        tenant.get(PATH).body("proven", equalTo(1)).body("replicas[0].gateways[0].state", equalTo("SERVING"));
        reportUntil(0, List.of(replica(machine, "SERVING", 0)), "deployments[0].replicas[0].draining", true);
        tenant.get(Tenant.path(machine)).body("state", equalTo("READY"));
        report(0, List.of(replica(machine, "DRAINED", 0)));
        tenant.await(machine, "ENDED").body("endReason", equalTo("REQUESTED"));
        report(0, List.of()).body("deployments[0].replicas", hasSize(0));
        tenant.get(PATH).body("wanted", equalTo(0));
    }

    @Test
    void latestStartFromZeroIsShown() {
        tenant.put(PATH, CHAT).statusCode(201).body("$", not(hasKey("zeroToToken")));
        String path = "/v1/gateways/" + gateway;
        tenant.put(path, Map.of("deployments", List.of(Map.of("name", "chat", "held", 0, "zeroToToken", "PT7.5S"))))
                .statusCode(200)
                .body("takes", hasItem("zeroToToken"));
        report(0, List.of());
        tenant.get(PATH).body("zeroToToken", equalTo("PT7.5S")).body("zeroToTokenTold", notNullValue());
        tenant.put(path, Map.of("deployments", List.of(Map.of("name", "chat", "held", 0, "zeroToToken", "-PT1S"))))
                .statusCode(422)
                .body("detail", containsString("zeroToToken"));
    }

    @Test
    void sameRequestChangesNothingAndAnotherModelIsAnotherRevision() {
        tenant.put(PATH, CHAT).statusCode(201).body("version", equalTo(1));
        tenant.put(PATH, CHAT).statusCode(200).body("version", equalTo(1));
        tenant.put(PATH, Map.of("model", "file:/models/chat", "gpu", "L4", "max", 8))
                .statusCode(200)
                .body("revision", equalTo(1))
                .body("version", equalTo(2));
        tenant.put(PATH, Map.of("model", "file:/models/other", "gpu", "L4", "max", 8))
                .statusCode(200)
                .body("revision", equalTo(2))
                .body("revisions", hasSize(2));
        tenant.post(PATH + ":rollback", Map.of()).statusCode(200).body("revision", equalTo(1));
        tenant.post(PATH + ":rollback", Map.of("revision", 1)).statusCode(200).body("version", equalTo(4));
        tenant.post(PATH + ":rollback", Map.of("revision", 7)).statusCode(404);
        tenant.post(PATH + ":rollback", Map.of())
                .statusCode(409)
                .body("detail", containsString("no revision before 1"));
    }

    @Test
    void changeOfAStaleVersionIsRefused() {
        String tag = tenant.put(PATH, CHAT).extract().header("ETag");
        tenant.put(PATH, Map.of("model", "file:/models/chat", "gpu", "L4", "max", 8))
                .statusCode(200);
        tenant.request().header("If-Match", tag).body(CHAT).put(PATH).then().statusCode(412);
        tenant.request()
                .header("If-None-Match", "*")
                .body(CHAT)
                .put(PATH)
                .then()
                .statusCode(412);
        tenant.request()
                .header("If-Match", tag)
                .body(Map.of())
                .post(PATH + ":rollback")
                .then()
                .statusCode(412)
                .body("code", equalTo("changed-since"));
    }

    @Test
    void malformedRequestIsRefusedNamingTheField() {
        tenant.put(PATH, Map.of()).statusCode(422).body("detail", containsString("model: expected a URI"));
        tenant.put(PATH, Map.of("model", "chat")).statusCode(422);
        tenant.put(PATH, Map.of("model", "file:/m", "gpu", "L40000")).statusCode(422);
        tenant.put(PATH, Map.of("model", "file:/m", "min", -1)).statusCode(422).body("detail", containsString("min"));
        tenant.put(PATH, Map.of("model", "file:/m", "min", 3, "max", 2)).statusCode(422);
        tenant.put(PATH, Map.of("model", "file:/m", "max", 1_001)).statusCode(422);
        tenant.put(PATH, Map.of("model", "file:/m", "target", 0))
                .statusCode(422)
                .body("detail", containsString("target"));
        tenant.put(PATH, Map.of("model", "file:/m", "idle", "-PT1S"))
                .statusCode(422)
                .body("detail", containsString("idle"));
        tenant.put(PATH, Map.of("model", "file:/m", "dtype", "int4"))
                .statusCode(422)
                .body("detail", containsString("dtype"));
        tenant.put(PATH, Map.of("model", "file:/m", "project", "none")).statusCode(404);
        tenant.put("/v1/deployments/Chat_1", CHAT).statusCode(422).body("detail", containsString("name"));
        tenant.get(PATH).statusCode(404);
        tenant.delete(PATH).statusCode(404);
    }

    /** A deployment that is not listed in complete orders is given up by its gateway. */
    @Test
    void ordersListAllDeploymentsAndNoMoreThanTheBoundAreMade() {
        tenant.put(PATH, CHAT).statusCode(201);
        BackendProcess.shared().copyDeployment(tenant.name(), "chat", 600);
        report(0, List.of()).body("deployments", hasSize(601)).body("complete", equalTo(true));
        tenant.put("/v1/deployments/another", CHAT)
                .statusCode(422)
                .body("code", equalTo("quota-exceeded"))
                .body("detail", equalTo("an organisation has up to 500 deployments"));
        tenant.get("/v1/deployments/another").statusCode(404);
        tenant.put(PATH, CHAT).statusCode(200);
    }

    @Test
    void malformedReportIsRefused() {
        tenant.put(PATH, CHAT).statusCode(201);
        String path = "/v1/gateways/" + gateway;
        tenant.put(path, Map.of("deployments", List.of(Map.of("name", "chat"))))
                .statusCode(422)
                .body("detail", containsString("held"));
        tenant.put(path, Map.of("deployments", List.of(Map.of("name", "chat", "held", -1))))
                .statusCode(422);
        tenant.put(
                        path,
                        Map.of(
                                "deployments",
                                List.of(Map.of("name", "chat", "held", 0, "replicas", List.of(Map.of())))))
                .statusCode(422)
                .body("detail", containsString("machine and state"));
        tenant.put("/v1/gateways/GW!", Map.of()).statusCode(422);
        tenant.put(path, Map.of()).statusCode(200).body("deployments.name", hasItem("chat"));
    }

    @Test
    void pagesTogetherHaveEachDeploymentOnce() {
        for (int i = 0; i < 5; i++) {
            tenant.put("/v1/deployments/d" + i, CHAT).statusCode(201);
        }
        ValidatableResponse first = tenant.get("/v1/deployments?limit=3").body("items", hasSize(3));
        String next = first.extract().path("next");
        tenant.get("/v1/deployments?limit=3&cursor=" + next)
                .body("items.name", equalTo(List.of("d3", "d4")))
                .body("next", equalTo(null));
    }

    @Test
    void deploymentOfAnotherTenantIsNotFound() {
        tenant.put(PATH, CHAT).statusCode(201);
        Tenant other = Tenant.create();
        other.get(PATH).statusCode(404);
        other.delete(PATH).statusCode(404);
        other.post(PATH + ":rollback", Map.of()).statusCode(404);
        other.get("/v1/deployments").body("items", hasSize(0));
        other.put("/v1/gateways/" + gateway, Map.of("deployments", List.of(Map.of("name", "chat", "held", 5))))
                .statusCode(200)
                .body("deployments", hasSize(0));
        tenant.get(PATH).body("wanted", equalTo(0));
        other.put(PATH, CHAT).statusCode(201);
        tenant.get("/v1/deployments").body("items", hasSize(1));
    }

    @Test
    void gatewayIsToldOfKeysOfItsOrganisationOnly() {
        Tenant reader = tenant.withScopes("READ");
        tenant.post("/v1/gateways:admit", Map.of("key", reader.key()))
                .statusCode(200)
                .body("keyId", not(containsString(reader.key())));
        Tenant other = Tenant.create();
        other.post("/v1/gateways:admit", Map.of("key", reader.key())).statusCode(404);
        tenant.post("/v1/gateways:admit", Map.of("key", other.key())).statusCode(404);
        tenant.post("/v1/gateways:admit", Map.of("key", reader.key() + "x")).statusCode(404);
        tenant.post("/v1/gateways:admit", Map.of()).statusCode(404);
        reader.post("/v1/gateways:admit", Map.of("key", reader.key())).statusCode(403);
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
        Tenant vision = tenant.with(Map.of("name", "v", "project", "vision", "scopes", List.of("READ", "MACHINES")));
        tenant.post("/v1/gateways:admit", Map.of("key", vision.key())).body("project", equalTo("vision"));
    }

    @Test
    void projectKeySeesItsDeploymentsOnly() {
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
        Tenant vision = tenant.with(Map.of("name", "v", "project", "vision", "scopes", List.of("READ", "MACHINES")));
        tenant.put(PATH, CHAT).statusCode(201);
        vision.get(PATH).statusCode(404);
        vision.put(PATH, CHAT).statusCode(404);
        vision.put("/v1/deployments/own", CHAT).statusCode(201).body("project", equalTo("vision"));
        vision.put("/v1/gateways/" + gateway, Map.of()).body("deployments.name", equalTo(List.of("own")));
        tenant.withScopes("READ").put("/v1/deployments/x", CHAT).statusCode(403);
    }

    @Test
    void removedDeploymentGoesWithItsReplicas() {
        tenant.put(PATH, Map.of("model", "file:/m", "min", 1)).statusCode(201);
        String machine = machine(reportUntil(0, List.of(), "deployments[0].replicas[0].phase", "READY"));
        tenant.delete(PATH).statusCode(202);
        tenant.delete(PATH).statusCode(202);
        tenant.await(machine, "ENDED");
        Await.until("the deployment is gone", () -> tenant.get(PATH).extract().statusCode() == 404);
        tenant.put(PATH, CHAT).statusCode(201).body("revision", equalTo(1));
        assertEquals(
                1,
                tenant.get("/v1/deployments").extract().<List<?>>path("items").size());
    }
}
