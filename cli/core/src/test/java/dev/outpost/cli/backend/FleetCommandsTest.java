package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands for pools, budgets, webhooks and secrets. */
class FleetCommandsTest extends StubbedCommands {
    private static final String WEBHOOK = "0f8fad5b-d9cb-469f-a165-70867728950e";
    private static final String BUDGET = """
            {"name": "project/vision/month", "project": "vision", "period": "MONTH", "from": "2026-01-01T00:00:00Z",
              "spent": 1.25, "spentNanos": 1250000000, "cap": 500.0, "left": 498.75, "leftNanos": 498750000000,
              "nanosPerSecond": 0, "thresholds": [{"percent": 80, "action": "%s"}, {"percent": 100, "action": "END"}],
              "text": "%s", "reached": [], "version": 1}
            """;
    private static final String POOL = """
            {"name": "evenings", "version": 3, "gpu": "A100", "min": 1, "max": 4, "idle": "PT10M", "lease": "PT1M", "paused": false,
             "failures": 0, "text": "1 waits",
             "members": [{"machine": "%1$s", "phase": "READY", "since": "2026-01-01T00:00:00Z"},
               {"machine": "%1$s", "phase": "BOOT", "since": "2026-01-01T00:00:00Z"}]}
            """.formatted(WEBHOOK);

    private static final String SECRET =
            "{\"name\": \"HF_TOKEN\", \"project\": \"vision\", \"version\": 1, \"changed\": \"2026-01-01T00:00:00Z\"}";

    @BeforeEach
    void logIn() {
        loggedIn();
    }

    private void succeeds(String... arguments) {
        assertEquals(0, run(arguments), this::complained);
    }

    private StubBackend.Asked lastAsked() {
        return backend.asked().getLast();
    }

    // ---- pools

    @Test
    void poolsAreListedPageByPage() {
        backend.answer("GET /v1/pools", "{\"items\": [" + POOL + "], \"next\": \"c\"}")
                .answer("GET /v1/pools?cursor=c", "{\"items\": []}");
        succeeds("pools");
        assertEquals("""
                NAME      GPU   WAITING  MIN  MAX  IDLE   LEASE  PAUSED  TEXT
                evenings  A100  1        1    4    PT10M  PT1M   false   1 waits
                """, printed());
    }

    @Test
    void poolIsMade() {
        backend.answer("GET /v1/pools", "{\"items\": []}").answer("PUT /v1/pools/evenings", POOL);
        succeeds("pools", "set", "evenings", "--gpu", "a100", "--max", "4", "--idle", "5m");
        assertEquals(
                "{\"gpu\":\"A100\",\"max\":4,\"idle\":\"PT5M\"}", lastAsked().body());
        assertEquals("created Pool evenings\n", printed());
    }

    @Test
    void pausedPoolKeepsItsSize() {
        backend.answer("GET /v1/pools", "{\"items\": [" + POOL + "]}").answer("PUT /v1/pools/evenings", POOL);
        succeeds("pools", "set", "evenings", "--paused");
        assertEquals(
                "{\"gpu\":\"A100\",\"min\":1,\"max\":4,\"idle\":\"PT10M\",\"lease\":\"PT1M\",\"paused\":true}",
                lastAsked().body());
        succeeds("pools", "set", "evenings", "--paused=false");
        assertTrue(lastAsked().body().endsWith("\"paused\":false}"), lastAsked()::body);
    }

    @Test
    void poolIsRemoved() {
        backend.answer("GET /v1/pools", "{\"items\": [" + POOL + "]}").answer("DELETE /v1/pools/evenings", "");
        succeeds("pools", "remove", "evenings");
        assertEquals("deleted Pool evenings\n", printed());
        assertEquals(1, run("pools", "delete", "a/b"));
        assertEquals("outpost: Pool a/b: there is none; see ./outpost pools list\n", complained());
    }

    // ---- budgets

    private void budgets(String action, String text) {
        backend.answer("GET /v1/budgets", "{\"items\": [" + BUDGET.formatted(action, text) + "]}");
    }

    @Test
    void budgetsAreListed() {
        budgets("NOTIFY", "498.75 left, 38 minutes at this rate");
        succeeds("budgets");
        assertEquals("""
                PERIOD  PROJECT  KEY  SPENT  CAP  ACTIONS            TEXT                                  SET BY
                MONTH   vision        1.25   500  80=notify,100=end  498.75 left, 38 minutes at this rate  administrator
                """, printed());
    }

    @Test
    void actionOfANewerBackendIsListed() {
        budgets("HIBERNATE", "498.75 left");
        succeeds("budgets");
        assertTrue(printed().contains("80=?,100=end"), printed());
    }

    @Test
    void budgetIsSetWithThresholds() {
        budgets("NOTIFY", "498.75 left");
        backend.answer("PUT /v1/budgets", BUDGET.formatted("REFUSE", "500.00 left"));
        succeeds("budgets", "set", "month", "--project", "vision", "--cap", "600", "--thresholds", "90=refuse,100=end");
        assertEquals(
                "{\"project\":\"vision\",\"period\":\"MONTH\",\"cap\":600,\"thresholds\":["
                        + "{\"percent\":90,\"action\":\"REFUSE\"},{\"percent\":100,\"action\":\"END\"}]}",
                lastAsked().body());
        assertEquals("changed Budget MONTH of project vision\n", printed());
    }

    @Test
    void budgetIsRemovedByItsPeriodAndProject() {
        budgets("NOTIFY", "498.75 left");
        backend.answer("DELETE /v1/budgets?period=MONTH&project=vision", "");
        succeeds("budgets", "delete", "month", "--project", "vision");
        assertEquals(2, run("budgets", "delete", "moth"));
        assertTrue(
                complained().contains("NAME: expected day or week or month or lifetime, got \"moth\""),
                this::complained);
    }

    // ---- prices

    @Test
    void pricesAreListedAndSet() {
        String price =
                "{\"gpu\": \"A100\", \"from\": \"2026-02-01T00:00:00Z\", \"nanosPerSecond\": 1019444, \"perHour\": 3.670}";
        backend.answer("GET /v1/prices", "{\"items\": [" + price + "]}").answer("PUT /v1/prices", price);
        succeeds("prices", "set", "A100", "--per-hour", "3.80", "--from", "2027-02-01T00:00:00Z");
        assertEquals(
                "{\"gpu\":\"A100\",\"perHour\":3.8,\"from\":\"2027-02-01T00:00:00Z\"}",
                lastAsked().body());
        succeeds("prices", "set", "A100", "--per-hour", "3.80");
        assertEquals("{\"gpu\":\"A100\",\"perHour\":3.8}", lastAsked().body(), "from now on");
        succeeds("prices");
        assertEquals("""
                created Price A100, from 2027-02-01T00:00:00Z
                changed Price A100
                GPU   FROM                  PER HOUR  CURRENCY
                A100  2026-02-01T00:00:00Z  3.67
                """, printed());
    }

    // ---- webhooks

    @Test
    void createdWebhookHasAnIdOfItsOwn() {
        backend.answer("GET /v1/webhooks", "{\"items\": []}");
        String[] arguments = {"webhooks", "create", "https://example.org/hook", "--types", "job.,machine.ended"};
        assertEquals(1, run(arguments), "the stub knows no webhook of that id");
        String path = lastAsked().request();
        assertTrue(path.matches("PUT /v1/webhooks/[0-9a-f-]{36}"), path);
        assertEquals(
                "{\"url\":\"https://example.org/hook\",\"types\":[\"job.\",\"machine.ended\"]}",
                lastAsked().body());
    }

    @Test
    void webhooksAndDeadLettersAreListedAndSentAgain() {
        String deliveries = "/v1/webhooks/" + WEBHOOK + "/deliveries";
        backend.answer(
                        "GET /v1/webhooks",
                        "{\"items\": [{\"id\": \"" + WEBHOOK
                                + "\", \"version\": 1, \"url\": \"https://example.org/hook\", \"types\": [],"
                                + " \"paused\": true, \"created\": \"2026-01-01T00:00:00Z\"}]}")
                .answer(
                        "GET " + deliveries + "?state=DEAD",
                        "{\"items\": [{\"id\": 7, \"event\": \"" + WEBHOOK
                                + "\", \"type\": \"job.failed\", \"state\": \"DEAD\", \"tries\": 10, \"body\": {\"exitCode\": null},"
                                + " \"created\": \"2026-01-01T00:00:00Z\", \"text\": \"status 500\"}]}")
                .answer("POST " + deliveries + "/7:redeliver", "");
        succeeds("webhooks");
        succeeds("webhooks", "deliveries", WEBHOOK, "--state", "dead");
        succeeds("webhooks", "redeliver", WEBHOOK, "7");
        assertEquals("""
                ID                                    URL                       PROJECT  TYPES  PAUSED
                0f8fad5b-d9cb-469f-a165-70867728950e  https://example.org/hook           none   true
                NUMBER  TYPE        STATE  TRIES  CREATED               LAST ANSWER
                7       job.failed  DEAD   10     2026-01-01T00:00:00Z  status 500
                7 is sent again
                """, printed());
        assertEquals(1, run("webhooks", "remove", "../keys"));
        assertTrue(complained().contains("Webhook ../keys: there is none"), this::complained);
    }

    // ---- secrets

    @Test
    void valueOfASecretIsReadFromInputAndNotPrinted() {
        backend.answer("GET /v1/secrets", "{\"items\": []}").answer("PUT /v1/secrets/HF_TOKEN", SECRET);
        System.setIn(new ByteArrayInputStream("hf_value\n".getBytes(StandardCharsets.UTF_8)));
        succeeds("secrets", "set", "HF_TOKEN");
        assertEquals("{\"value\":\"hf_value\"}", lastAsked().body());
        assertEquals("created Secret HF_TOKEN\n", printed());
        assertFalse((printed() + complained()).contains("hf_value"));
    }

    @Test
    void secretsAreListedAndRemovedByProject() {
        backend.answer("GET /v1/secrets?project=vision", "{\"items\": [" + SECRET + "]}")
                .answer("DELETE /v1/secrets/HF_TOKEN?project=vision", "");
        succeeds("secrets", "--project", "vision");
        succeeds("secrets", "remove", "HF_TOKEN", "--project", "vision");
        assertEquals("""
                NAME      PROJECT  CHANGED
                HF_TOKEN  vision   2026-01-01T00:00:00Z
                deleted Secret HF_TOKEN of project vision
                """, printed());
    }

    @Test
    void secretNeedsTheNameOfAVariable() {
        backend.answer("GET /v1/secrets", "{\"items\": []}");
        assertEquals(1, run("secrets", "set", "a/b"));
        assertTrue(complained().contains("secret: expected the name of a variable"), this::complained);
    }
}
