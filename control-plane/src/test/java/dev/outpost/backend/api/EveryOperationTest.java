package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Calls every operation of the API's document as the owner of its object, and as an administrator of another organisation, who is refused
 * as if the object did not exist. {@link Operations} has a line for each operation, in an order in which objects are made, read and
 * removed.
 */
class EveryOperationTest {
    /** Streams, which {@code EventsApiTest} reads. */
    private static final Set<String> ELSEWHERE = Set.of("GET /v1/events");

    /** Programs are stored by their hash, once in an organisation. */
    private static final Set<String> OF_THE_ORGANISATION = Set.of("GET /v1/files/{sha256}");

    private final Tenant owner = Tenant.create();
    private final Tenant stranger = Tenant.create();
    private final Tenant neighbour = neighbour(owner);
    private final Operations operations = new Operations(Tenant.operator());
    private final Map<String, String> variables = operations.variables();

    private static Tenant neighbour(Tenant owner) {
        owner.put("/v1/projects/next-door", Map.of()).statusCode(200);
        return owner.with(
                Map.of("name", "next door", "project", "next-door", "scopes", List.of("READ", "MACHINES", "ADMIN")));
    }

    @Test
    void tableHasALineForEveryOperationOfTheDocument() {
        Map<String, Map<String, ?>> paths = Tenant.operator()
                .get("/q/openapi?format=json")
                .extract()
                .jsonPath()
                .getMap("paths");
        Set<String> documented = paths.entrySet().stream()
                .flatMap(path -> path.getValue().keySet().stream()
                        .filter(List.of("get", "put", "post", "delete")::contains)
                        .map(method -> method.toUpperCase(Locale.ROOT) + " " + path.getKey()))
                .filter(operation -> !ELSEWHERE.contains(operation))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(
                documented,
                Operations.rows().stream()
                        .map(Operations.Row::operation)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void eachIsAnsweredToItsOwnerAndRefusedToAStranger() {
        StringBuilder wrong = new StringBuilder();
        for (Operations.Row row : Operations.rows()) {
            Tenant caller = switch (row.caller()) {
                case "operator" -> Tenant.operator();
                case "owner" -> owner;
                default -> null;
            };
            // The owner makes an object first, and removes it last.
            boolean isMade = List.of("PUT", "POST").contains(row.method());
            if (!isMade) {
                sendAsStranger(wrong, row);
            }
            Response answer = send(caller, row);
            check(wrong, row, "owner", row.status(), answer);
            if (isMade) {
                sendAsStranger(wrong, row);
            }
            if (row.operation().equals("POST /v1/keys")) {
                variables.put("key", answer.path("id"));
            }
            if (row.operation().equals("PUT /v1/machines/{id}")) {
                owner.await(variables.get("machine"), "READY");
            }
        }
        assertEquals("", wrong.toString());
    }

    /**
     * Also calls them with a key of another project of the organisation, for which the objects of a project do not exist or are forbidden.
     */
    private void sendAsStranger(StringBuilder wrong, Operations.Row row) {
        if (row.ofStranger().equals("none")) {
            return;
        }
        check(wrong, row, "stranger", row.ofStranger(), send(stranger, row));
        boolean isOfProjects = row.caller().equals("owner") && !row.ofStranger().equals("any");
        if (isOfProjects && !OF_THE_ORGANISATION.contains(row.operation())) {
            Response answer = send(neighbour, row);
            check(wrong, row, "neighbour", answer.statusCode() == 403 ? "403" : row.ofStranger(), answer);
        }
    }

    private void check(StringBuilder wrong, Operations.Row row, String caller, String expected, Response answer) {
        String text = row.operation() + " by " + caller + ": expected " + expected + ", got " + answer.statusCode()
                + " " + answer.asString() + "\n";
        boolean isAsExpected = switch (expected) {
            case "any" -> answer.statusCode() < 500;
            case "own" -> answer.statusCode() < 400;
            default -> answer.statusCode() == Integer.parseInt(expected);
        };
        if (!isAsExpected) {
            wrong.append(text);
        }
        boolean isRead = row.method().equals("GET") && answer.statusCode() < 300;
        if (isRead && !caller.equals("owner") && !expected.equals("any")) {
            String lower = answer.asString().toLowerCase(Locale.ROOT);
            List<String> known = Stream.of("mark", "machine", "job", "webhook")
                    .map(variables::get)
                    .filter(lower::contains)
                    .toList();
            assertEquals(List.of(), known, text);
        }
        if (isRead && row.path().startsWith("/v1/secrets")) {
            assertFalse(answer.asString().contains(variables.get("secret")), text);
        }
        assertTrue(Stream.of("Exception", "\tat ").noneMatch(answer.asString()::contains), text);
    }

    private Response send(Tenant caller, Operations.Row row) {
        boolean isOthers = stranger.equals(caller) || neighbour.equals(caller);
        return operations.send(caller, row, isOthers ? "theirs" : variables.get("secret"));
    }
}
