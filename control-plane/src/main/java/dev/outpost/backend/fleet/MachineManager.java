package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.ReportRows.Report;
import dev.outpost.channel.Trust;
import dev.outpost.channel.client.Channels;
import dev.outpost.channel.client.GrantUse;
import dev.outpost.channel.client.MachineGrants;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.grant.GrantTerms.Role;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.Grant;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Sends grants directly to machines. The supplier gets them first, because its copy survives a restart of the machine but may arrive later,
 * and the supplier does not report the use of grants. So an unreachable machine is no failure.
 */
public final class MachineManager {
    private static final Logger LOG = Logger.getLogger(MachineManager.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final Optional<ManagementKey> key;
    private final Function<Machine, Map<String, String>> secrets;

    /** Makes a manager that sends no secrets to machines. */
    public MachineManager(Optional<ManagementKey> key) {
        this(key, row -> Map.of());
    }

    /**
     * @param key empty if machines are not to be called
     * @param secrets the secrets of a machine's sources, by their names
     */
    public MachineManager(Optional<ManagementKey> key, Function<Machine, Map<String, String>> secrets) {
        this.key = key;
        this.secrets = secrets;
    }

    boolean isEnabled() {
        return key.isPresent();
    }

    /** Returns the grant by which this control plane manages the machine. */
    Optional<Grant> grant(Machine row) {
        return key.map(own -> new Grant(own.tokenSha256(row), GrantTerms.ALL.withRole(Role.MANAGE)));
    }

    /** Replaces the grants of the machine immediately. */
    void applyGrants(Machine row, List<GrantRows.Stored> grants) {
        Map<String, GrantTerms> bind = grants.stream()
                .filter(grant -> grant.revoked().isEmpty())
                .collect(Collectors.toMap(GrantRows.Stored::sha256, GrantRows.Stored::terms));
        List<String> revoke = grants.stream()
                .filter(grant -> grant.revoked().isPresent())
                .map(GrantRows.Stored::sha256)
                .toList();
        ask(row, machine -> machine.change(bind, revoke));
    }

    /**
     * Sends the machine the secrets of its sources.
     *
     * @throws FleetException if the machine needs secrets and cannot be reached; it is not ready before it has them
     */
    void mount(Machine row) {
        Map<String, String> values = secrets.apply(row);
        if (values.isEmpty()) {
            return;
        }
        ask(row, machine -> {
                    machine.mount(values);
                    return values.keySet();
                })
                .orElseThrow(() -> new FleetException(
                        FleetException.Kind.UNAVAILABLE,
                        "machine " + row.id()
                                + ": the backend cannot reach it, so its sources do not get their secrets"));
    }

    /** Asks the machine how its grants are used. Returns an empty list if it does not answer. */
    List<Report> report(Machine row) {
        return ask(row, MachineGrants::report).orElse(List.of()).stream()
                .filter(use -> !isOurs(row, use))
                .map(use -> report(row, use))
                .toList();
    }

    /**
     * Returns the latest instructions of the machine's open sessions, by session number: ops, dtypes and shapes as text, without values.
     * Empty if the machine does not answer.
     */
    public Optional<SortedMap<Long, List<String>>> instructions(Machine row, int max) {
        return ask(row, machine -> machine.instructions(max));
    }

    /** Renews the lease of an unclaimed machine. */
    void keep(Machine row) {
        ask(row, machine -> {
            machine.keep();
            return List.of();
        });
    }

    private boolean isOurs(Machine row, GrantUse use) {
        return key.filter(own -> own.tokenSha256(row).equals(use.tokenSha256())).isPresent();
    }

    private static Report report(Machine row, GrantUse use) {
        return new Report(
                row.id(), use.tokenSha256(), use.sessions(), use.lastSeen(), use.liveBytes(), use.engineNanos());
    }

    private interface Question<T> {
        T ask(MachineGrants machine) throws IOException;
    }

    private <T> Optional<T> ask(Machine row, Question<T> question) {
        if (key.isEmpty() || row.address().isEmpty()) {
            return Optional.empty();
        }
        Machine.Address address = row.address().get();
        Channels way = Channels.tls(
                address.host(),
                address.port(),
                new Trust.Pin(address.certificate()),
                key.get().token(row),
                null);
        try (MachineGrants machine = MachineGrants.open(way, TIMEOUT)) {
            return Optional.of(question.ask(machine));
        } catch (IOException failure) {
            LOG.debugf("machine %s is not managed: %s", row.id(), failure.getMessage());
            return Optional.empty();
        }
    }
}
