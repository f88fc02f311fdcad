package dev.outpost.provider.process;

import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.Tenancy;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.config.ProcessSetting;
import dev.outpost.provider.process.config.ProcessSettings;
import dev.outpost.provider.process.launch.GpusTakenException;
import dev.outpost.provider.process.launch.HostIsolation;
import dev.outpost.provider.process.launch.MachineCommand;
import dev.outpost.provider.process.launch.RunnerCommand;
import dev.outpost.provider.process.state.Isolation;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord;
import dev.outpost.provider.process.state.MachineRecord.Keeper;
import dev.outpost.provider.process.state.MachineStatus;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.provider.support.FleetPolling;
import dev.outpost.provider.support.Owner;
import io.smallrye.mutiny.Multi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The machines of one installation in a state folder. */
final class ProcessFleet implements MachineFleet {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    private final String installation;
    private final Map<String, String> options;
    private final StateFolder state;
    private final FleetPolling watches = new FleetPolling(wakeSignal -> new FolderPoller(this::list));

    ProcessFleet(String installation, Map<String, String> options) {
        if (!LABEL.matcher(installation).matches()) {
            throw new IllegalArgumentException("installation: expected a DNS label, got \"" + installation + "\"");
        }
        this.installation = installation;
        this.options = Map.copyOf(options);
        this.state = new StateFolder(ProcessSettings.read(options).state());
    }

    @Override
    public String installation() {
        return installation;
    }

    @Override
    public void validate(DesiredMachine machine) {
        ProcessConfig config = config(machine);
        LocalMachineFactory.check(machine.gpu(), machine.gpuCount(), config);
        requireApart(machine, config);
    }

    /** Refuses machines of other organisations than the operator's if this host cannot isolate them. */
    private static void requireApart(DesiredMachine machine, ProcessConfig config) {
        boolean isStrangers = machine.tenancy() == Tenancy.TENANT || machine.tenancy() == Tenancy.POOL;
        if (isStrangers && !config.separation().isEveryoneTrusted()) {
            new HostIsolation(config).obstacle().ifPresent(why -> {
                throw new IllegalArgumentException(
                        "process: this host serves the operator's organisation only, because nothing protects its keys from others ("
                                + why
                                + "); ask for a GPU of another cluster, or let an operator change the host or set "
                                + ProcessSetting.TRUST_ALL_ORGANISATIONS.property()
                                + "=true, which lets each job read all keys");
            });
        }
    }

    private ProcessConfig config(DesiredMachine machine) {
        if (machine.options().containsKey(ProcessSetting.STATE.text())) {
            throw new IllegalArgumentException(ProcessSetting.STATE.property()
                    + ": all machines of an installation have one folder, which is " + state.path());
        }
        Map<String, String> all = new HashMap<>(options);
        all.putAll(machine.options());
        machine.bounds().memoryBytes().ifPresent(bytes -> all.put(ProcessSetting.MEMORY.text(), Long.toString(bytes)));
        return ProcessSettings.read(all);
    }

    // ---- making

    @Override
    public MachineObservation ensure(DesiredMachine machine) {
        validate(machine);
        return answering(() -> {
            MachineFolder folder =
                    find(machine.machine()).or(() -> make(machine)).orElseGet(() -> there(machine));
            requireOurs(folder);
            if (folder.isUnstarted()) {
                new LocalMachineFactory(config(machine)).launch(folder);
            }
            watches.wake();
            return observation(folder, Instant.now());
        });
    }

    private Optional<MachineFolder> find(MachineRef machine) {
        return state.find(machine.name());
    }

    private MachineFolder there(DesiredMachine machine) {
        return find(machine.machine())
                .orElseThrow(() -> new FleetException(
                        Kind.UNAVAILABLE, "process: " + machine.machine() + " was removed while it was asked for"));
    }

    private void requireOurs(MachineFolder folder) {
        if (!isOurs(folder)) {
            throw new FleetException(
                    Kind.REFUSED,
                    "process: " + folder.record().name() + " is the name of a machine of another installation in "
                            + state.path());
        }
    }

    private Optional<MachineFolder> make(DesiredMachine machine) {
        ProcessConfig config = config(machine);
        String grants = machine.grants().stream().map(Grant::line).collect(Collectors.joining("\n", "", "\n"));
        try {
            return new LocalMachineFactory(config)
                    .make(
                            machine.gpu(),
                            device -> record(machine, device),
                            command(machine.bounds(), config.times().lease()),
                            files(machine, config, grants),
                            isolation(machine, config));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (GpusTakenException taken) {
            throw new FleetException(Kind.UNAVAILABLE, taken.getMessage(), taken);
        }
    }

    private static Optional<Isolation> isolation(DesiredMachine machine, ProcessConfig config) throws IOException {
        return machine.tenancy() == Tenancy.OWN
                ? Optional.empty()
                : new HostIsolation(config).of(machine.organisation());
    }

    /** Returns the files of the machine. The token of a runner is in a file that only this user can read. */
    private static Map<String, String> files(DesiredMachine machine, ProcessConfig config, String grants) {
        Map<String, String> files = new HashMap<>(Map.of(MachineFolder.GRANTS, grants));
        machine.job().ifPresent(job -> {
            files.put(MachineFolder.RUNNER_COMMAND, String.join("\n", RunnerCommand.of(config)));
            files.put(MachineFolder.RUNNER_ENVIRONMENT, String.join("\n", RunnerCommand.environment(job)));
            job.authority().ifPresent(pem -> files.put(MachineFolder.RUNNER_AUTHORITY, pem));
        });
        return files;
    }

    /** Makes the command of the runtime. It keeps a session no longer than the machine waits for its client. */
    private static MachineCommand command(MachineBounds bounds, Duration standard) {
        Duration session =
                bounds.lease().filter(lease -> lease.compareTo(standard) < 0).orElse(standard);
        return new MachineCommand(session, bounds.lease(), bounds.idle(), bounds.life(), true);
    }

    private MachineRecord record(DesiredMachine machine, Optional<String> device) {
        MachineRef ref = machine.machine();
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return new MachineRecord(
                ref.name(),
                new Keeper.Fleet(installation, ref.id(), ref.epoch()),
                machine.gpu().name(),
                device,
                Owner.ofThisProcess(),
                now,
                machine.bounds().life().map(now::plus),
                machine.labels());
    }

    // ---- observing

    @Override
    public List<MachineObservation> list() {
        return answering(() -> {
            Instant now = Instant.now();
            for (MachineFolder folder : ours().toList()) {
                folder.attend(now);
            }
            state.tidy(now);
            return ours().flatMap(folder -> present(folder, now)).toList();
        });
    }

    private Stream<MachineFolder> ours() {
        return state.list().stream().filter(this::isOurs);
    }

    private boolean isOurs(MachineFolder folder) {
        return folder.record().keeper() instanceof Keeper.Fleet fleet
                && fleet.installation().equals(installation);
    }

    /** Observes a machine. Empty if it was removed meanwhile. */
    private static Stream<MachineObservation> present(MachineFolder folder, Instant now) {
        MachineObservation observation = observation(folder, now);
        return folder.exists() ? Stream.of(observation) : Stream.empty();
    }

    private static MachineObservation observation(MachineFolder folder, Instant now) {
        MachineRecord record = folder.record();
        Keeper.Fleet fleet = (Keeper.Fleet) record.keeper();
        MachineStatus status = folder.status(now);
        return new MachineObservation(
                new MachineRef(fleet.id(), fleet.epoch()),
                record.gpu(),
                status.state(),
                status.reason(),
                status.endCause(),
                status.address(),
                record.created(),
                status.since(),
                record.labels());
    }

    @Override
    public FleetWatch watch(Consumer<MachineObservation> listener) {
        return watches.open(listener);
    }

    @Override
    public Multi<String> logs(MachineRef machine, boolean follow) {
        return Multi.createFrom().deferred(() -> LogLines.of(present(machine), follow));
    }

    @Override
    public List<String> runnerLog(MachineRef machine) {
        return answering(() -> LogLines.ofRunner(present(machine)));
    }

    // ---- changing

    @Override
    public void bind(MachineRef machine, Grant grant) {
        changeGrants(machine, lines -> Stream.concat(without(lines, grant.tokenSha256()), Stream.of(grant.line())));
    }

    @Override
    public void revoke(MachineRef machine, String tokenSha256) {
        changeGrants(machine, lines -> without(lines, tokenSha256));
    }

    private static Stream<String> without(Stream<String> lines, String tokenSha256) {
        return lines.filter(line -> !line.startsWith(tokenSha256));
    }

    /** Changes the grants under a lock, so that no concurrent change is lost. */
    private void changeGrants(MachineRef machine, UnaryOperator<Stream<String>> change) {
        answering(() -> state.exclusively(() -> {
            MachineFolder folder = present(machine);
            if (folder.status(Instant.now()).hasEnded()) {
                throw missing(machine);
            }
            Stream<String> lines = folder.read(MachineFolder.GRANTS).orElse("").lines();
            folder.write(MachineFolder.GRANTS, change.apply(lines).collect(Collectors.joining("\n", "", "\n")));
            return folder;
        }));
    }

    private MachineFolder present(MachineRef machine) {
        return find(machine).filter(this::isOurs).orElseThrow(() -> missing(machine));
    }

    private FleetException missing(MachineRef machine) {
        return new FleetException(
                Kind.NOT_FOUND,
                "process: " + machine + " is not among the machines of " + installation + " in " + state.path()
                        + ", or it has ended");
    }

    @Override
    public void end(MachineRef machine) {
        answering(() -> {
            Optional<MachineFolder> folder = find(machine).filter(this::isOurs);
            if (folder.isPresent()) {
                MachineEnd.begin(folder.get());
                watches.wake();
            }
            return folder;
        });
    }

    @Override
    public void close() {
        watches.close();
    }

    private static <T> T answering(StateFolder.Work<T> work) {
        try {
            return work.run();
        } catch (IOException | UncheckedIOException failure) {
            throw new FleetException(Kind.UNAVAILABLE, "process: " + failure.getMessage(), failure);
        }
    }
}
