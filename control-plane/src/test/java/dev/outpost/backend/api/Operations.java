package dev.outpost.backend.api;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** One call of every operation of the API, in an order in which objects are made, read and removed. */
final class Operations {
    /**
     * The caller, the operation, the status of its answer, and the status of the answer to a stranger. {@code own} is any success with the
     * stranger's own list. {@code none} means that the stranger does not call, because it would make an object of the same name.
     */
    private static final String TABLE = """
            owner    PUT    /v1/projects/{name=project}              {}                                                          200 none
            owner    GET    /v1/projects/{name=project}              -                                                           200 404
            owner    GET    /v1/projects                             -                                                           200 own
            owner    PUT    /v1/members/{subject=subject}            {"role":"VIEWER"}                                           200 none
            owner    GET    /v1/members                              -                                                           200 own
            owner    POST   /v1/keys                                 {"name":"$secret","scopes":["READ"]}                        201 own
            owner    GET    /v1/keys                                 -                                                           200 own
            owner    GET    /v1/keys/{id=key}                            -                                                           200 404
            owner    PUT    /v1/keys/{id=key}                            {"name":"$secret","scopes":["READ"]}                        200 404
            owner    POST   /v1/keys/{id=key}:rotate                 {"overlap":"PT1M"}                                          201 404
            owner    DELETE /v1/keys/{id=key}                        -                                                           204 404
            owner    DELETE /v1/projects/{name=project}                  -                                                           204 404
            owner    PUT    /v1/quotas                               {"resource":"MACHINES","allowed":9}                         200 none
            owner    GET    /v1/quotas                               -                                                           200 own
            owner    DELETE /v1/quotas?resource=MACHINES             -                                                           204 404
            owner    PUT    /v1/budgets                              {"period":"WEEK","cap":1000}                                200 none
            owner    GET    /v1/budgets                              -                                                           200 own
            owner    DELETE /v1/budgets?period=WEEK                  -                                                           204 404
            owner    POST   /v1/machines:plan                        {"gpu":"A100"}                                              200 own
            owner    PUT    /v1/machines/{id=machine}                {"gpu":"A100","life":"PT1H","owner":"$secret"}              201 404
            owner    GET    /v1/machines/{id=machine}                -                                                           200 404
            owner    GET    /v1/machines                             -                                                           200 own
            owner    GET    /v1/machines/{id=machine}/events         -                                                           200 404
            owner    POST   /v1/machines/{id=machine}/grants         {"tokenSha256":"$hash","owner":"$secret"}                   202 404
            owner    GET    /v1/machines/{id=machine}/grants         -                                                           200 404
            owner    PUT    /v1/machines/{id=machine}/grants/{hash=hash} {"weight":50}                                           202 404
            owner    DELETE /v1/machines/{id=machine}/grants/{hash=hash} -                                                       204 404
            owner    GET    /v1/machines/{id=machine}/logs           -                                                           200 404
            owner    GET    /v1/machines/{id=machine}/instructions   -                                                           503 404
            owner    PUT    /v1/machines/{id=machine}/sharing        {"mode":"EXCLUSIVE"}                                        200 404
            owner    GET    /v1/machines/{id=machine}/sharing        -                                                           200 404
            owner    POST   /v1/machines/{id=machine}:extend         {"by":"PT1M"}                                               200 404
            owner    GET    /v1/usage                                -                                                           200 own
            owner    GET    /v1/use-samples                          -                                                           200 own
            owner    GET    /v1/usage.csv                            -                                                           200 own
            owner    GET    /v1/usage/{id=machine}                   -                                                           200 404
            owner    POST   /v1/machines/{id=machine}:end            -                                                           202 404
            owner    GET    /v1/gpus                                 -                                                           200 own
            owner    PUT    /v1/secrets/{name=variable}              {"value":"$secret"}                                         200 none
            owner    GET    /v1/secrets                              -                                                           200 own
            owner    DELETE /v1/secrets/{name=variable}              -                                                           204 404
            owner    PUT    /v1/files/{sha256=file}                  bytes                                                       200 none
            owner    GET    /v1/files/{sha256=file}                  -                                                           200 404
            owner    PUT    /v1/jobs/{id=job}                        {"gpu":"A100","name":"$secret","program":"$file","programName":"a.jar"} 201 404
            owner    GET    /v1/jobs/{id=job}                        -                                                           200 404
            owner    GET    /v1/jobs                                 -                                                           200 own
            owner    GET    /v1/jobs/{id=job}/log                    -                                                           200 404
            owner    GET    /v1/jobs/{id=job}/artefacts              -                                                           200 404
            owner    GET    /v1/jobs/{id=job}/artefact?path=none     -                                                           404 404
            owner    POST   /v1/jobs/{id=job}:cancel                 -                                                           200 404
            owner    PUT    /v1/programs/{name=program}              {"file":"$file","gpu":"L4","inputs":["float32[2]"],"outputs":["float32[2]"]} 200 none
            owner    GET    /v1/programs/{name=program}              -                                                           200 404
            owner    GET    /v1/programs                             -                                                           200 own
            owner    GET    /v1/programs/{name=program}/file?sha256={hash=file} -                                                200 404
            owner    DELETE /v1/programs/{name=program}              -                                                           202 404
            owner    PUT    /v1/schedules/{name=project}             {"cron":"0 3 * * *","paused":true,"job":{"gpu":"A100","program":"$file","programName":"a.jar"}} 201 none
            owner    GET    /v1/schedules/{name=project}             -                                                           200 404
            owner    GET    /v1/schedules                            -                                                           200 own
            owner    DELETE /v1/schedules/{name=project}             -                                                           204 404
            owner    PUT    /v1/deployments/{name=project}           {"model":"file:/$secret","max":1}                           201 none
            owner    GET    /v1/deployments/{name=project}           -                                                           200 404
            owner    GET    /v1/deployments                          -                                                           200 own
            owner    POST   /v1/deployments/{name=project}:rollback  {}                                                          409 404
            owner    DELETE /v1/deployments/{name=project}           -                                                           202 404
            owner    PUT    /v1/webhooks/{id=webhook}                {"url":"http://127.0.0.1:9/$secret"}                        201 404
            owner    GET    /v1/webhooks                             -                                                           200 own
            owner    GET    /v1/webhooks/{id=webhook}/deliveries     -                                                           200 404
            owner    POST   /v1/webhooks/{id=webhook}/deliveries/{delivery=machine}:redeliver - 404 404
            owner    DELETE /v1/webhooks/{id=webhook}                -                                                           204 404
            owner    POST   /v1/token-usage                          {"id":"$job","records":[]}                                  any any
            owner    GET    /v1/token-usage                          -                                                           200 own
            owner    PUT    /v1/gateways/{id=project}                {"deployments":[]}                                          any any
            owner    POST   /v1/gateways:admit                       {"key":"$secret"}                                           any any
            owner    GET    /v1/audit                                -                                                           200 own
            owner    DELETE /v1/members/{subject=subject}            -                                                           204 404
            owner    POST   /v1/identity/logout                      -                                                           409 409
            operator GET    /v1/organisations                        -                                                           200 403
            operator POST   /v1/organisations                        {"name":"$project"}                                         201 403
            operator PUT    /v1/organisations/{organisation=project}/quotas {"resource":"MACHINES","allowed":9}                  200 403
            operator GET    /v1/organisations/{organisation=project}/quotas -                                                    200 403
            operator DELETE /v1/organisations/{organisation=project}/quotas?resource=MACHINES -                                  204 403
            operator PUT    /v1/organisations/{organisation=project}/budgets {"period":"WEEK","cap":1000}                        200 403
            operator GET    /v1/organisations/{organisation=project}/budgets -                                                   200 403
            operator DELETE /v1/organisations/{organisation=project}/budgets?period=WEEK -                                       204 403
            operator DELETE /v1/organisations/{organisation=project}     -                                                           204 403
            operator GET    /v1/failures                             -                                                           200 403
            operator PUT    /v1/clusters/{name=project}              {"provider":"worker"}                                       200 403
            operator GET    /v1/clusters                             -                                                           200 403
            operator GET    /v1/clusters/{name=project}              -                                                           200 403
            operator POST   /v1/clusters/{name=project}:pair         -                                                           201 403
            operator DELETE /v1/clusters/{name=project}              -                                                           204 403
            operator PUT    /v1/pools/{name=project}                 {"gpu":"L4","min":0,"max":1,"paused":true}                  201 403
            operator GET    /v1/pools                                -                                                           200 403
            operator GET    /v1/pools/{name=project}                 -                                                           200 403
            operator DELETE /v1/pools/{name=project}                 -                                                           204 403
            operator PUT    /v1/prices                               {"gpu":"L4","perHour":1}                                    200 403
            operator GET    /v1/prices                               -                                                           200 any
            operator PUT    /v1/prices                                   {"gpu":"L4","perHour":1,"from":"2099-01-01T00:00:00Z"}      200 403
            operator DELETE /v1/prices?gpu=L4&from=2099-01-01T00:00:00Z  -                                                           204 403
            operator PUT    /v1/token-prices                         {"model":"$secret","perMillionNew":1}                       200 403
            operator GET    /v1/token-prices                         -                                                           200 any
            operator PUT    /v1/token-prices                             {"model":"$secret","from":"2099-01-01T00:00:00Z"}           200 403
            operator DELETE /v1/token-prices?model=$secret&from=2099-01-01T00:00:00Z -                                                           204 403
            operator GET    /v1/backup                               -                                                           200 403
            nobody   GET    /v1/identity                             -                                                           200 200
            nobody   POST   /v1/identity/login                       {"idToken":"x.y.z"}                                         401 401
            nobody   POST   /v1/identity/code                        {"code":"x","verifier":"y","redirect":"http://127.0.0.1/","nonce":"z"} 401 401
            nobody   GET    /v1/session                              -                                                           204 204
            nobody   DELETE /v1/session                              -                                                           409 409
            nobody   POST   /v1/session                              {"key":"x"}                                                 401 401
            owner    PUT    /v1/runner/artefacts                     bytes                                                       401 401
            owner    POST   /v1/runner/begin                         {}                                                          401 401
            owner    POST   /v1/runner/exited                        {}                                                          401 401
            owner    POST   /v1/runner/heard                         {}                                                          401 401
            owner    PUT    /v1/runner/log                           bytes                                                       401 401
            owner    GET    /v1/runner/program                       -                                                           401 401
            owner    POST   /v1/worker/join                          {}                                                          401 401
            owner    GET    /v1/worker/orders                        -                                                           401 401
            owner    POST   /v1/worker/report                        {}                                                          401 401
            """;

    private static final byte[] FILE = "a program".getBytes(StandardCharsets.UTF_8);

    private final Tenant operator;
    private final Map<String, String> variables = drawn();

    /** @param operator the operator of the backend, which callers without a key call */
    Operations(Tenant operator) {
        this.operator = operator;
    }

    /** The names of the objects of the calls. */
    Map<String, String> variables() {
        return variables;
    }

    private static Map<String, String> drawn() {
        String drawn = UUID.randomUUID().toString().substring(0, 8);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("mark", drawn);
        all.put("project", "p" + drawn);
        all.put("program", "q" + drawn);
        all.put("subject", drawn + "@example.org");
        all.put("secret", "marked-" + drawn);
        all.put("variable", "V" + drawn.toUpperCase(Locale.ROOT));
        all.put("hash", drawn.repeat(8));
        all.put("machine", Tenant.draw());
        all.put("job", Tenant.draw());
        all.put("webhook", Tenant.draw());
        all.put("file", sha256());
        all.put("key", "0".repeat(16));
        return all;
    }

    private static String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(FILE));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A line of the table. */
    record Row(String caller, String method, String path, String body, String status, String ofStranger) {
        static Row parse(String line) {
            String[] start = line.strip().split("\\s+", 4);
            int ofStranger = start[3].strip().lastIndexOf(' ');
            String rest = start[3].strip().substring(0, ofStranger).strip();
            int status = rest.lastIndexOf(' ');
            return new Row(
                    start[0],
                    start[1],
                    start[2],
                    rest.substring(0, status).strip(),
                    rest.substring(status + 1),
                    start[3].strip().substring(ofStranger + 1));
        }

        /** The operation in the form of the API's description. */
        String operation() {
            return method + " " + path.replaceAll("=\\w+}", "}").replaceAll("\\?.*", "");
        }
    }

    static List<Row> rows() {
        return TABLE.lines().filter(line -> !line.isBlank()).map(Row::parse).toList();
    }

    /**
     * Sends the call of a row.
     *
     * @param caller the caller, or null for one without a key
     * @param secret the text that all texts of the call contain
     */
    Response send(Tenant caller, Row row, String secret) {
        RequestSpecification request =
                caller == null ? operator.request().auth().none() : caller.request();
        String path = row.path().replace("$secret", secret);
        String body = row.body().replace("$secret", secret);
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            path = path.replaceAll("\\{\\w+=" + variable.getKey() + "}", variable.getValue());
            body = body.replace("$" + variable.getKey(), variable.getValue());
        }
        if (body.equals("bytes")) {
            request.contentType(ContentType.BINARY)
                    .queryParam("size", FILE.length)
                    .body(FILE);
        } else if (!body.equals("-")) {
            request.body(body);
        }
        return request.request(row.method(), path);
    }
}
