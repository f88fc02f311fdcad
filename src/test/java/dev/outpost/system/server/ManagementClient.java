package dev.outpost.system.server;

import static io.restassured.RestAssured.given;

import io.restassured.builder.RequestSpecBuilder;
import io.restassured.config.RestAssuredConfig;
import io.restassured.config.SSLConfig;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import java.util.List;

/** A client of a runtime's REST API, which trusts only its certificate. */
final class ManagementClient {
    private final RequestSpecification base;
    private final String secret;

    private ManagementClient(RequestSpecification base, String secret) {
        this.base = base;
        this.secret = secret;
    }

    static ManagementClient of(RuntimeProcess runtime) {
        SSLConfig ssl = SSLConfig.sslConfig().trustStore(PinnedCertificate.storeOf(runtime));
        RequestSpecification base = new RequestSpecBuilder()
                .setConfig(RestAssuredConfig.config().sslConfig(ssl))
                .setBaseUri("https://localhost")
                .setPort(runtime.managementPort())
                // Each request has a client of its own, which would keep its connection.
                .addHeader("Connection", "close")
                .build();
        return new ManagementClient(base, runtime.secret());
    }

    /** A request without the token. */
    RequestSpecification anonymous() {
        return given().spec(base);
    }

    /** A request with the token. */
    RequestSpecification owner() {
        return bearing(secret);
    }

    RequestSpecification bearing(String word) {
        return anonymous().header("Authorization", "Bearer " + word);
    }

    JsonPath stats() {
        return owner().get("/stats").then().statusCode(200).extract().jsonPath();
    }

    JsonPath sessions() {
        return owner().get("/sessions").then().statusCode(200).extract().jsonPath();
    }

    /**
     * A metric's value.
     *
     * @param series its name and labels as Prometheus writes them, such as {@code outpost_sessions}
     */
    double metric(String series) {
        String page =
                anonymous().get("/q/metrics").then().statusCode(200).extract().asString();
        return page.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no series " + series + " in\n" + page));
    }

    double refused(String limit) {
        return metric("outpost_refused_total{limit=\"" + limit + "\"}");
    }

    long liveBytes() {
        return stats().getLong("load.liveBytes");
    }

    /** The numbers of the open sessions. */
    List<Integer> sessionNumbers() {
        return sessions().getList("number");
    }

    int openSessions() {
        return stats().getInt("sessions");
    }
}
