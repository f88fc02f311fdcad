package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.Money;
import dev.outpost.backend.model.Machine;
import dev.outpost.rest.machine.MachineView;
import java.util.Optional;

/** Makes the API's views of machines. */
final class MachineViews {
    private MachineViews() {}

    static MachineView of(Machine row, Optional<MachineView.EndpointView> endpoint, Long costNanos) {
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
