package dev.outpost.backend.api;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.path.json.JsonPath;
import io.restassured.path.json.config.JsonPathConfig;
import io.restassured.path.json.config.JsonPathConfig.NumberReturnType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Recomputes bills second by second from the events and prices of the API; they agree to the nano-unit. */
class UsageApiTest {
    private static final String GPU = "T4";

    private final Tenant tenant = Tenant.create();
    private final Tenant operator = Tenant.operator();

    private void price(double perHour) {
        operator.put("/v1/prices", Map.of("gpu", GPU, "perHour", perHour)).statusCode(200);
    }

    private String start() {
        String id = Tenant.draw();
        tenant.put(Tenant.path(id), Map.of("gpu", GPU, "life", "PT1H")).statusCode(201);
        tenant.await(id, "READY");
        return id;
    }

    private void end(String id) {
        tenant.post(Tenant.path(id) + ":end", Map.of()).statusCode(202);
        tenant.await(id, "ENDED");
    }

    /** Waits by the backend's clock, which it reads from an idle machine. */
    private void passSeconds(String id, int seconds) {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < deadline) {
            tenant.get(Tenant.path(id) + "?after=1000&wait=1").statusCode(200);
        }
    }

    private Map<Instant, BigDecimal> prices() {
        Map<Instant, BigDecimal> prices = new TreeMap<>();
        JsonPath all = tenant.get("/v1/prices?limit=500")
                .extract()
                .jsonPath(JsonPathConfig.jsonPathConfig().numberReturnType(NumberReturnType.BIG_DECIMAL));
        List<Map<String, ?>> items = all.getList("items");
        items.stream()
                .filter(price -> price.get("gpu").equals(GPU))
                .forEach(price ->
                        prices.put(Instant.parse((String) price.get("from")), (BigDecimal) price.get("perHour")));
        return prices;
    }

    private record Span(long from, long to) {}

    /** Returns the whole seconds from the event ready to the next other event. */
    private List<Span> spans(String id) {
        List<Span> spans = new ArrayList<>();
        long open = -1;
        List<Map<String, ?>> events = tenant.get(Tenant.path(id) + "/events?limit=500")
                .extract()
                .jsonPath()
                .getList("items");
        for (Map<String, ?> event : events) {
            long at = Instant.parse((String) event.get("at")).getEpochSecond();
            boolean isReady = event.get("phase").equals("READY");
            if (isReady && open < 0) {
                open = at;
            } else if (!isReady && open >= 0) {
                spans.add(new Span(open, at));
                open = -1;
            }
        }
        assertTrue(open < 0, "the machine has ended");
        return spans;
    }

    /** Returns the cost of the seconds of each price together, rounded down. */
    private static long nanos(List<Span> spans, Map<Instant, BigDecimal> prices) {
        long sum = 0;
        for (Span span : spans) {
            Map<Instant, Long> seconds = new TreeMap<>();
            for (long second = span.from(); second < span.to(); second++) {
                long at = second;
                prices.keySet().stream()
                        .filter(from -> from.getEpochSecond() <= at)
                        .max(Comparator.naturalOrder())
                        .ifPresent(from -> seconds.merge(from, 1L, Long::sum));
            }
            for (var part : seconds.entrySet()) {
                sum += prices.get(part.getKey())
                        .movePointRight(9)
                        .multiply(BigDecimal.valueOf(part.getValue()))
                        .divide(BigDecimal.valueOf(3_600), 0, RoundingMode.DOWN)
                        .longValueExact();
            }
        }
        return sum;
    }

    @Test
    void everyBillEqualsItsRecomputation() {
        price(3.6);
        String first = start();
        passSeconds(first, 2);
        price(7.2);
        String second = start();
        passSeconds(first, 2);
        end(first);
        price(1.23456789);
        passSeconds(second, 2);
        end(second);
        String brief = start();
        end(brief);
        Map<Instant, BigDecimal> prices = prices();
        long total = 0;
        for (String id : List.of(first, second, brief)) {
            List<Span> spans = spans(id);
            long expected = nanos(spans, prices);
            JsonPath explained =
                    tenant.get("/v1/usage/" + id).statusCode(200).extract().jsonPath();
            assertEquals(expected, explained.getLong("totalNanos"), () -> spans + " at " + prices);
            List<Number> parts = explained.getList("items.nanos");
            assertEquals(expected, parts.stream().mapToLong(Number::longValue).sum());
            assertEquals(
                    spans.stream().mapToLong(span -> span.to() - span.from()).sum(),
                    explained.getList("items.seconds").stream()
                            .mapToLong(seconds -> ((Number) seconds).longValue())
                            .sum());
            assertEquals((Long) expected, (Long)
                    tenant.get(Tenant.path(id)).extract().jsonPath().getLong("costNanos"));
            total += expected;
        }
        assertTrue(total > 0);
        tenant.get("/v1/usage/" + first)
                .body("items.size()", equalTo(2))
                .body("items[0].ended", equalTo("PRICE"))
                .body("items[1].began", equalTo("PRICE"));
        assertEquals(total, tenant.get("/v1/usage").extract().jsonPath().getLong("totalNanos"));
        assertEquals(
                total,
                tenant.get("/v1/usage?project=default").extract().jsonPath().getList("items.nanos").stream()
                        .mapToLong(nanos -> ((Number) nanos).longValue())
                        .sum());
    }

    @Test
    void aBillIsReadByPagesAndAsOneStream() {
        price(3.6);
        for (int i = 0; i < 3; i++) {
            String id = start();
            passSeconds(id, 1);
            end(id);
        }
        JsonPath whole = tenant.get("/v1/usage").extract().jsonPath();
        List<Map<String, ?>> items = new ArrayList<>();
        String next = "";
        while (next != null) {
            JsonPath page = tenant.get("/v1/usage?limit=1" + (next.isEmpty() ? "" : "&cursor=" + next))
                    .statusCode(200)
                    .body("items", hasSize(1))
                    .extract()
                    .jsonPath();
            assertEquals(whole.getLong("totalNanos"), page.getLong("totalNanos"));
            items.addAll(page.getList("items"));
            next = page.getString("next");
        }
        assertEquals(whole.getList("items"), items);
        String csv = tenant.get("/v1/usage.csv")
                .statusCode(200)
                .contentType("text/csv")
                .extract()
                .asString();
        List<String> lines = csv.lines().toList();
        assertEquals("day,machine,project,gpu,deployment,gpu_seconds,cost,currency", lines.getFirst());
        assertEquals(
                items.stream().map(item -> (String) item.get("machine")).toList(),
                lines.stream().skip(1).map(line -> line.split(",")[1]).toList());
        tenant.get("/v1/usage?cursor=nonsense").statusCode(422);
    }

    @Test
    void windowIsHalfOpenAndMalformedOnesAreRefused() {
        tenant.get("/v1/usage?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z")
                .statusCode(422);
        tenant.get("/v1/usage?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z")
                .statusCode(422);
        tenant.get("/v1/usage?from=2025-01-01T00:00:00Z&to=2025-06-01T00:00:00Z")
                .body("items", hasSize(0));
        tenant.get("/v1/usage?project=none").statusCode(200).body("items", hasSize(0));
        tenant.get("/v1/usage/nonsense").statusCode(422);
        tenant.get("/v1/usage/" + Tenant.draw()).statusCode(404);
    }
}
