package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;

import dev.outpost.support.tests.Await;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The organisation of one test, with its requests. */
record Tenant(String name, String key, String address) {
    private static final String CLUSTER = "paper";

    /** Creates an organisation at the backend that tests share. */
    Tenant(String name, String key) {
        this(name, key, BackendProcess.shared().address());
    }

    /** Creates an organisation; a cluster has room for its machines. */
    static Tenant create() {
        String name = "t" + UUID.randomUUID().toString().substring(0, 8);
        ValidatableResponse made =
                operator().post("/v1/organisations", Map.of("name", name)).statusCode(201);
        operator().put("/v1/clusters/" + CLUSTER, Map.of("provider", "paper")).statusCode(200);
        return new Tenant(name, made.extract().path("key"));
    }

    static Tenant operator() {
        return new Tenant("default", BackendProcess.ADMIN.text());
    }

    static Tenant operator(BackendProcess backend) {
        return new Tenant("default", BackendProcess.ADMIN.text(), backend.address());
    }

    /** Creates another key of this organisation. */
    Tenant with(Map<String, ?> key) {
        return new Tenant(name, post("/v1/keys", key).statusCode(201).extract().path("key"), address);
    }

    Tenant withScopes(String... scopes) {
        return with(Map.of("name", "test", "scopes", List.of(scopes)));
    }

    RequestSpecification request() {
        return given().baseUri(address)
                .header("Authorization", "Bearer " + key)
                .contentType(ContentType.JSON)
                // Colons stay colons.
                .urlEncodingEnabled(false);
    }

    ValidatableResponse get(String path) {
        return request().get(path).then();
    }

    ValidatableResponse put(String path, Map<String, ?> body) {
        return request().body(body).put(path).then();
    }

    ValidatableResponse post(String path, Map<String, ?> body) {
        return request().body(body).post(path).then();
    }

    ValidatableResponse delete(String path) {
        return request().delete(path).then();
    }

    // ---- machines

    static String draw() {
        return UUID.randomUUID().toString();
    }

    static String path(String machine) {
        return "/v1/machines/" + machine;
    }

    /** Requests a machine that lives for an hour. */
    String start() {
        String id = draw();
        put(path(id), Map.of("gpu", "A100", "life", "PT1H")).statusCode(201);
        return id;
    }

    String startReady() {
        String id = start();
        await(id, "READY");
        return id;
    }

    /** Waits until the machine is in a state, with the API's call for waiting. */
    ValidatableResponse await(String id, String state) {
        return await(id, "state", state);
    }

    /** Does the same for a phase within a state. */
    ValidatableResponse awaitPhase(String id, String phase) {
        return await(id, "phase", phase);
    }

    private ValidatableResponse await(String id, String field, String value) {
        int[] version = {0};
        return Await.present("machine " + id + " is " + value, () -> {
            ValidatableResponse seen =
                    get(path(id) + "?after=" + version[0] + "&wait=1").statusCode(200);
            version[0] = seen.extract().path("version");
            return value.equals(seen.extract().path(field)) ? Optional.of(seen) : Optional.empty();
        });
    }
}
