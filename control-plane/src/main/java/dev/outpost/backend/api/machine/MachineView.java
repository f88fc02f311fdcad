package dev.outpost.backend.api.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.model.EndReason;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Phase;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A machine as the API shows it.
 *
 * @param state how far it is
 * @param phase within the state: what it waits for
 * @param text a sentence about it
 * @param endpoint where it serves, once that is known
 * @param costNanos what it has cost so far, in billionths of the currency's unit
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MachineView(
        UUID id,
        int epoch,
        long version,
        Phase.State state,
        Phase phase,
        String text,
        Instant since,
        String project,
        String owner,
        String gpu,
        String assignedGpu,
        int gpus,
        int members,
        String cluster,
        EndpointView endpoint,
        Instant created,
        Instant admitted,
        Instant endsAt,
        Instant endAsked,
        EndReason endReason,
        Long costNanos,
        BigDecimal cost) {

    /**
     * Where a client connects.
     *
     * @param certificate the SHA-256 of the machine's certificate, in hex
     * @param serverName what the client asks for in TLS (SNI), where host and port are a relay's
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EndpointView(String host, int port, String certificate, String serverName) {}

    static MachineView of(Machine row, Optional<EndpointView> endpoint, Long costNanos) {
        return new MachineView(
                row.id(),
                row.epoch(),
                row.version(),
                row.phase().state(),
                row.phase(),
                row.text(),
                row.since(),
                row.request().project(),
                row.request().owner(),
                row.request().gpu(),
                row.kind().orElse(null),
                row.request().gpus(),
                row.request().members(),
                row.cluster().orElse(null),
                endpoint.orElse(null),
                row.created(),
                row.placed().orElse(null),
                row.endsAt().orElse(null),
                row.endAsked().orElse(null),
                row.endReason().orElse(null),
                costNanos,
                costNanos == null ? null : Money.of(costNanos));
    }
}
