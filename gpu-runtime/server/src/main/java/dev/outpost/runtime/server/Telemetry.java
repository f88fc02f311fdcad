package dev.outpost.runtime.server;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;

/** OpenTelemetry, configured by the variables OTEL_*. Its classes are not loaded unless a destination for traces is set. */
final class Telemetry {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.service.name", "outpost-runtime",
            // Metrics are served by Prometheus (/q/metrics), and logs are not exported.
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none");

    private Telemetry() {}

    static boolean isWanted() {
        String endpoint = System.getenv(ENDPOINT);
        return endpoint != null && !endpoint.isBlank();
    }

    /** Starts OpenTelemetry. Remaining spans are sent when the JVM ends. */
    static OpenTelemetry start() {
        return isWanted() ? Sdk.start() : OpenTelemetry.noop();
    }

    /** A separate class, so that the SDK's classes are loaded only if they are needed. */
    private static final class Sdk {
        static OpenTelemetry start() {
            return AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> DEFAULTS)
                    .build()
                    .getOpenTelemetrySdk();
        }
    }
}
