package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands that talk to a backend, whose answers the test has written. */
class BackendCommandsTest extends StubbedCommands {
    private static final String MACHINE = "0f8fad5b-d9cb-469f-a165-70867728950e";
    private static final String LIST = """
            {"items": [{"id": "%s", "epoch": 1, "version": 4, "gpu": "A100", "gpus": 1, "members": 1,
                "state": "READY", "phase": "READY", "text": "ready", "since": "2026-01-01T00:01:00Z",
                "project": "default", "owner": "ada", "created": "2026-01-01T00:00:00Z", "endsAt": "2026-01-01T02:00:00Z"},
              {"id": "1f8fad5b-d9cb-469f-a165-70867728950e", "epoch": 1, "version": 1, "gpu": "L4", "gpus": 1, "members": 1,
                "state": "QUEUED", "phase": "POSITION", "text": "position 2 of 3 in the queue", "since": "2026-01-01T01:00:00Z",
                "project": "default", "owner": "bob", "created": "2026-01-01T01:00:00Z"}]}
            """.formatted(MACHINE);

    private Path kept() {
        return home.resolve(".outpost").resolve("login");
    }

    // ---- login

    @Test
    void aLoginIsTriedAndKeptForTheUserAlone() throws IOException {
        assertEquals(0, login(StubBackend.KEY + "\n"), err::toString);
        assertEquals("logged in at " + backend.address() + "\n", printed());
        assertEquals("GET /v1/gpus", backend.asked().getFirst().request());
        assertEquals(backend.address() + "\n" + StubBackend.KEY + "\n", Files.readString(kept()));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(kept())));
        try (var files = Files.list(kept().getParent())) {
            assertEquals(List.of(kept()), files.toList(), "nothing else holds the key");
        }
    }

    @Test
    void aKeyThatTheBackendRefusesIsNotKept() {
        String wrong = StubBackend.KEY.replace("0123", "9999");
        assertEquals(1, login(wrong + "\n"));
        assertEquals("outpost: the key is unknown, expired or revoked\n", complained());
        assertFalse(Files.exists(kept()));
    }

    @Test
    void malformedKeyIsNotQuoted() {
        assertEquals(1, login("correct horse battery staple\n"));
        assertTrue(complained().contains("OUTPOST_API_KEY: expected a key as the backend shows it"), complained());
        assertFalse(complained().contains("horse"), complained());
        assertTrue(backend.asked().isEmpty(), "it went nowhere");
    }

    @Test
    void aKeyIsWantedOnStandardInput() {
        assertEquals(1, login(""));
        assertEquals("outpost: login: a key is expected on standard input, got nothing\n", complained());
    }

    @Test
    void aLoginWithoutAnAddressIsABadCommandLine() {
        assertEquals(2, run("login"));
        assertTrue(complained().contains("Missing required parameter: 'ADDRESS'"), complained());
    }

    @Test
    void aKeyDoesNotTravelInClear() {
        System.setIn(new ByteArrayInputStream((StubBackend.KEY + "\n").getBytes(StandardCharsets.UTF_8)));
        assertEquals(1, run("login", "http://192.0.2.1:8750"));
        assertTrue(complained().contains("would carry the key in clear over the network; use https"), complained());
        assertFalse(Files.exists(kept()));
    }

    @Test
    void aBackendThatIsNotThereIsNamed() {
        backend.close();
        assertEquals(1, login(StubBackend.KEY + "\n"));
        assertTrue(
                complained().startsWith("outpost: the backend at " + backend.address() + " does not answer: "),
                complained());
    }

    @Test
    void keyFileReadableByOthersIsRefused() throws IOException {
        loggedIn();
        Files.setPosixFilePermissions(kept(), PosixFilePermissions.fromString("rw-r--r--"));
        assertEquals(1, run("plan", "A100"));
        assertEquals(
                "outpost: " + kept() + " holds a key and can be read by others on this host; chmod 600 " + kept()
                        + ", and have the key rotated\n",
                complained());
        assertTrue(backend.asked().isEmpty());
    }

    // ---- plan

    @Test
    void commandsWithoutALoginSayHowToLogIn() {
        for (String[] command : new String[][] {
            {"plan", "A100"}, {"usage"}, {"usage", "explain", MACHINE}, {"machines", "list", "outpost"}
        }) {
            assertEquals(1, run(command));
        }
        complained()
                .lines()
                .forEach(line -> assertEquals(
                        "outpost: outpost: which backend? Set OUTPOST_API and OUTPOST_API_KEY, or run ./outpost login",
                        line));
    }

    @Test
    void aPlanSaysPriceAndWay() {
        backend.answer("POST /v1/machines:plan", """
                {"gpu": "A100", "startsNow": true, "waiting": 0, "cluster": "lab", "nanosPerSecond": 1000000,
                 "perHour": 3.6, "currency": "EUR",
                 "device": "the device gpu-0 of a100-1 (NVIDIA A100-SXM4-80GB)",
                 "reach": "the client connects to the machine itself"}""");
        loggedIn();
        assertEquals(0, run("plan", "A100", "--project", "vision"), err::toString);
        assertEquals("""
                MACHINE     A100
                starts now  yes
                where       lab
                GPU         the device gpu-0 of a100-1 (NVIDIA A100-SXM4-80GB)
                price       3.60 EUR an hour
                way there   the client connects to the machine itself
                """, printed());
        assertEquals(
                "{\"project\":\"vision\",\"gpu\":\"A100\"}",
                backend.asked().getFirst().body());
    }

    /** A plan is requested with the options of the start. */
    @Test
    void aPlanIsThatOfTheStart() {
        backend.answer("POST /v1/machines:plan", """
                {"gpu": "A100", "startsNow": true, "waiting": 0, "nanosPerSecond": 0, "perHour": 0, "reach": "by the relay"}""");
        loggedIn();
        assertEquals(0, run("plan", "A100", "--for", "2h", "--option", "idle=90s"), err::toString);
        assertEquals(
                "{\"gpu\":\"A100\",\"life\":\"PT2H\",\"idle\":\"PT1M30S\"}",
                backend.asked().getFirst().body());
        assertEquals(1, run("plan", "A100", "--option", "image=x"));
        assertTrue(complained().contains("no option is called image"), this::complained);
    }

    @Test
    void aPlanSaysWhyNotAndWhen() {
        backend.answer("POST /v1/machines:plan", """
                {"gpu": "A100", "startsNow": false, "why": "cluster lab has room for 4 machines and has 4",
                 "freeBy": "2026-01-01T02:00:00Z", "waiting": 3, "nanosPerSecond": 0, "perHour": 0,
                 "reach": "by the relay"}""");
        loggedIn();
        assertEquals(0, run("plan", "A100"), err::toString);
        assertEquals("""
                MACHINE     A100
                starts now  no: cluster lab has room for 4 machines and has 4
                waiting     3 others
                free by     2026-01-01T02:00:00Z at the latest
                where       -
                price       none is set
                way there   by the relay
                """, printed());
    }

    @Test
    void refusalOfTheBackendIsPrintedInItsWords() {
        backend.refuse("POST /v1/machines:plan", 422, "invalid", "no GPU is called A1000; did you mean A100?");
        loggedIn();
        assertEquals(1, run("plan", "A1000"));
        assertEquals("outpost: no GPU is called A1000; did you mean A100?\n", complained());
    }

    @Test
    void aPageOfAProxyIsNoAnswer() {
        backend.answerPage("POST /v1/machines:plan", 502, "<html>bad gateway</html>");
        loggedIn();
        assertEquals(1, run("plan", "A100"));
        assertEquals("outpost: " + backend.address() + " answered with status 502\n", complained());
        backend.answerPage("POST /v1/machines:plan", 200, "<html>welcome</html>");
        err.getBuffer().setLength(0);
        assertEquals(1, run("plan", "A100"));
        assertEquals(
                "outpost: " + backend.address() + " answered with something that is no backend's: no JSON\n",
                complained());
    }

    // ---- usage

    @Test
    void usageIsByMachineAndDay() {
        backend.answer("GET /v1/usage?from=2026-01-01T00%3A00%3A00Z&project=vision", """
                {"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z", "totalNanos": 3600000000, "total": 3.6,
                 "items": [{"day": "2026-01-01", "machine": "%s", "project": "vision", "gpu": "A100",
                            "gpuSeconds": 3600, "nanos": 3600000000, "cost": 3.6}]}""".formatted(MACHINE));
        loggedIn();
        assertEquals(0, run("usage", "--project", "vision", "--from", "2026-01-01T00:00:00Z"), err::toString);
        assertEquals("""
                DAY         MACHINE                               PROJECT  GPU   GPU SECONDS  COST
                2026-01-01  %s  vision   A100  3600         3.60
                total 3.60
                """.formatted(MACHINE), printed());
    }

    @Test
    void usageIsExplainedIntervalByInterval() {
        backend.answer("GET /v1/usage/" + MACHINE, """
                {"machine": "%s", "totalNanos": 7000000, "total": 0.007, "currency": "EUR", "items": [
                 {"from": "2026-01-01T00:00:00Z", "to": "2026-01-01T00:00:07Z", "seconds": 7, "gpus": 1, "perHour": 3.6,
                 "nanosPerSecond": 1000000, "nanos": 7000000, "cost": 0.007, "began": "READY", "ended": "END_ASKED"}]}""".formatted(MACHINE));
        loggedIn();
        assertEquals(0, run("usage", "explain", MACHINE), err::toString);
        assertEquals("""
                FROM                  TO                    BECAUSE  UNTIL      SECONDS  GPUS  PER HOUR  COST
                2026-01-01T00:00:00Z  2026-01-01T00:00:07Z  READY    END_ASKED  7        1     3.60      0.01
                total 0.01 EUR
                """, printed());
    }

    @Test
    void anotherTenantsMachineIsNotExplained() {
        backend.refuse(
                "GET /v1/usage/" + MACHINE,
                404,
                "not-found",
                "machine " + MACHINE + ": there is none that this key can see");
        loggedIn();
        assertEquals(1, run("usage", "explain", MACHINE));
        assertEquals("outpost: machine " + MACHINE + ": there is none that this key can see\n", complained());
    }

    @Test
    void anIdThatWouldBeAPathIsRefused() {
        loggedIn();
        assertEquals(1, run("usage", "explain", "../keys"));
        assertTrue(complained().contains("expected a machine's id"), complained());
        assertTrue(backend.asked().isEmpty(), () -> backend.asked().toString());
    }

    // ---- machines

    @Test
    void machinesOfABackendAreListedOldestFirst() {
        backend.answer("GET /v1/machines?failed=true", LIST);
        loggedIn();
        assertEquals(0, run("machines", "list", "outpost"), err::toString);
        List<String> lines = printed().lines().toList();
        assertEquals(3, lines.size(), printed());
        assertTrue(lines.get(1).startsWith("1f8fad5b"), printed());
        assertTrue(lines.get(1).contains("queued: position 2 of 3 in the queue"), printed());
        assertTrue(lines.get(2).contains("running"), printed());
    }

    @Test
    void aListIsReadPageByPage() {
        backend.answer("GET /v1/machines?failed=true", "{\"items\": [], \"next\": \"more\"}")
                .answer("GET /v1/machines?cursor=more&failed=true", LIST);
        loggedIn();
        assertEquals(0, run("machines", "list", "outpost"), err::toString);
        assertEquals(3, printed().lines().count(), printed());
    }

    @Test
    void aMachineIsStopped() {
        backend.answer("POST /v1/machines/" + MACHINE + ":end", "{\"id\": \"%s\"}".formatted(MACHINE));
        loggedIn();
        assertEquals(0, run("machines", "stop", MACHINE, "--provider", "outpost"), err::toString);
        assertEquals("stopped " + MACHINE + "\n", printed());
    }

    @Test
    void theLogOfAMachineIsPrinted() {
        backend.answerPage("GET /v1/machines/" + MACHINE + "/logs?follow=false", 200, "one\ntwo\n");
        loggedIn();
        assertEquals(0, run("machines", "logs", MACHINE, "--provider", "outpost"), err::toString);
        assertEquals("one\ntwo\n", printed());
    }

    @Test
    void aStartThatTheQuotaForbidsIsRefused() {
        loggedIn();
        backend.answer("GET /v1/gpus", "{\"items\": []}");
        assertEquals(1, run("machines", "start", "outpost", "A100", "--for", "2h"));
        assertTrue(complained().contains("there is nothing at PUT /v1/machines/"), complained());
    }

    private static final String DEPLOYMENT = """
            {"name": "chat", "version": 5, "project": "default", "revision": 2, "min": 0, "max": 4, "target": 16,
              "idle": "PT5M", "wanted": 1, "text": "1 of 1 replicas serve",
              "revisions": [{"number": 1, "model": "file:/m/chat", "gpu": "L4", "created": "2026-01-01T00:00:00Z",
                  "createdBy": "k1"},
                {"number": 2, "model": "file:/m/chat2", "gpu": "L4", "created": "2026-01-02T00:00:00Z", "createdBy": "k1"}],
              "replicas": [{"machine": "%s", "revision": 2, "phase": "READY", "text": "ready",
                "gateways": [
                  {"gateway": "a", "state": "SERVING", "requests": 2, "cacheUse": 0.5, "text": "",
                    "reported": "2026-01-02T00:00:00Z"},
                  {"gateway": "b", "state": "SERVING", "requests": 3, "cacheUse": 0.5, "text": "",
                    "reported": "2026-01-02T00:00:00Z"}]}]}
            """.formatted(MACHINE);

    @Test
    void deployNamesTheDeploymentAfterTheModel() {
        backend.answer("PUT /v1/deployments/smollm2-135m", DEPLOYMENT);
        loggedIn();
        assertEquals(
                0,
                run(
                        "deploy",
                        "--model",
                        "hf://HuggingFaceTB/SmolLM2-135M",
                        "--gpu",
                        "L4",
                        "--max",
                        "4",
                        "--idle",
                        "PT1M"),
                err::toString);
        assertEquals("chat, revision 2: 1 of 1 replicas serve\n", printed());
        String sent = backend.asked().getFirst().body();
        assertTrue(sent.contains("\"max\":4") && sent.contains("\"idle\":\"PT1M\""), sent);
    }

    @Test
    void deploymentsAreShownRolledBackAndRemoved() {
        backend.answer("GET /v1/deployments", "{\"items\": [" + DEPLOYMENT + "]}");
        backend.answer("GET /v1/deployments/chat", DEPLOYMENT);
        backend.answer("POST /v1/deployments/chat:rollback", DEPLOYMENT);
        backend.answer("DELETE /v1/deployments/chat", "");
        loggedIn();
        assertEquals(0, run("deployments"), err::toString);
        assertEquals("""
                NAME  PROJECT  REVISION  WANTED  MIN  MAX  TEXT
                chat  default  2         1       0    4    1 of 1 replicas serve
                """, printed());
        assertEquals(0, run("deployments", "show", "chat"), err::toString);
        assertTrue(printed().contains("  file:/m/chat2\n"), printed());
        assertTrue(printed().contains("REVISIONS\nNUMBER  MODEL") && printed().contains("  5\n"), printed());
        assertEquals(0, run("deployments", "rollback", "chat", "--to", "1"), err::toString);
        assertEquals(0, run("deployments", "remove", "chat"), err::toString);
        assertEquals(1, run("deployments", "show", "../keys"));
        assertTrue(complained().contains("Deployment ../keys: there is none"), complained());
    }
}
