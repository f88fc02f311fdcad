package dev.outpost.provider.outpost;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.channel.Trust;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSummary;
import dev.outpost.provider.ProvisioningStep.Phase;
import java.time.Instant;
import java.util.Optional;

/** A machine as the backend's API shows it. */
record RemoteState(JsonNode json) {
    private static final int SHOWN = 300;

    String id() {
        return text("id");
    }

    String project() {
        return text("project");
    }

    String gpu() {
        return text("gpu");
    }

    long version() {
        return json.path("version").asLong();
    }

    boolean isReady() {
        return state().equals("READY");
    }

    boolean isOver() {
        return state().equals("ENDED") || state().equals("ENDING");
    }

    private String state() {
        return text("state");
    }

    /** The sentence about it. */
    String sentence() {
        String text = text("text").replaceAll("\\p{Cntrl}", " ");
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    }

    Phase phase() {
        return switch (text("phase")) {
            case "ADMITTED", "NODE", "LOST" -> Phase.SCHEDULING;
            case "IMAGE" -> Phase.PULLING;
            case "BOOT" -> Phase.STARTING;
            case "BIND" -> Phase.CONNECTING;
            case "READY" -> Phase.READY;
            default -> Phase.QUEUED;
        };
    }

    /** Why it went, to a client that did not end it. */
    MachineLoss loss() {
        boolean agreed = text("endReason").equals("IDLE");
        return new MachineLoss(
                agreed ? MachineLoss.Cause.IDLE : MachineLoss.Cause.FAILED,
                "machine " + id() + " has ended: " + sentence());
    }

    /** Where it serves. */
    String host() {
        return endpoint().path("host").asText();
    }

    int port() {
        return endpoint().path("port").asInt();
    }

    Trust.Pin certificate() {
        return new Trust.Pin(endpoint().path("certificate").asText());
    }

    /** The server name in TLS, where a relay is at that address. */
    Optional<String> serverName() {
        return Optional.ofNullable(endpoint().path("serverName").textValue());
    }

    private JsonNode endpoint() {
        return json.path("endpoint");
    }

    MachineSummary summary() {
        return new MachineSummary(
                id(),
                text("gpu"),
                state().equals("READY") ? "running" : state().toLowerCase(java.util.Locale.ROOT) + ": " + sentence(),
                text("owner"),
                Instant.parse(text("created")),
                Optional.ofNullable(json.path("endsAt").textValue()).map(Instant::parse),
                !isOver());
    }

    private String text(String field) {
        return json.path(field).asText("");
    }
}
