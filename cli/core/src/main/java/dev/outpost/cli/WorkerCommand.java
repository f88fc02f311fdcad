package dev.outpost.cli;

import dev.outpost.cli.support.SecretInput;
import dev.outpost.cli.worker.HostCapacity;
import dev.outpost.cli.worker.WorkerAccount;
import dev.outpost.cli.worker.WorkerLoop;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.process.ProcessProvider;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes this host a worker host of a backend. Its machines are processes of this host, without Kubernetes. */
@Command(
        name = "worker",
        description = "Join a backend: this host runs machines for it, until it is stopped.",
        footer = {
            "",
            "An operator adds a cluster of the provider \"worker\" (PUT /v1/clusters/NAME) and makes a code for it (POST",
            "/v1/clusters/NAME:pair). The first start asks for that code, or reads it from standard input; later ones go by a",
            "key that this host has drawn. The worker connects to the backend, never the other way round; clients connect to",
            "its machines. A worker that stops, or is killed, leaves its machines running, and the next one finds them."
        })
final class WorkerCommand implements Runnable {
    private static final int HTTPS = 443;

    @Option(names = "--join", required = true, paramLabel = "URL", description = "Such as https://gpu.example.org.")
    private String url;

    @Option(
            names = "--machines",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "How many machines this host has room for at once; ${DEFAULT-VALUE} unless given.")
    private int machines;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "Where clients reach this host; that by which it reaches the backend unless given.")
    private String address;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "The certificates in PEM of a private authority that has issued the backend's.")
    private Path authority;

    @Option(
            names = "--state",
            paramLabel = "FOLDER",
            description = "Where its key and its machines are kept; ~/.outpost/worker unless given.")
    private Path state;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        try {
            work(folder().toAbsolutePath());
        } catch (IOException failure) {
            throw new IllegalStateException("worker: " + failure.getMessage(), failure);
        }
    }

    private Path folder() {
        return state == null ? Path.of(System.getProperty("user.home"), ".outpost", "worker") : state;
    }

    private void work(Path folder) throws IOException {
        String own = address == null ? ownAddress(URI.create(url)) : address;
        Map<String, String> options = Map.of("state", folder.resolve("machines").toString(), "host", own);
        GpuCatalogue catalogue = GpuCatalogue.configured();
        // A worker always uses the same installation name, independent of its name at the backend.
        try (MachineFleet local = new ProcessProvider().open("worker", options)) {
            HostCapacity capacity = HostCapacity.of(local, catalogue, machines);
            WorkerAccount account = account(folder, capacity);
            serve(local, capacity, catalogue, account.cluster(), account.access());
        }
    }

    private WorkerAccount account(Path folder, HostCapacity capacity) throws IOException {
        var kept = WorkerAccount.kept(folder, url, authority);
        return kept.isPresent()
                ? kept.get()
                : WorkerAccount.pair(folder, url, authority, SecretInput.read("worker", "code"), capacity);
    }

    private void serve(
            MachineFleet local, HostCapacity capacity, GpuCatalogue catalogue, String cluster, BackendAccess access) {
        String host = hostName();
        try (WorkerLoop loop =
                new WorkerLoop(local, new BackendClient(access), capacity, catalogue, host, BuildVersion.text())) {
            Runtime.getRuntime().addShutdownHook(new Thread(loop::close));
            loop.start();
            PrintWriter out = spec.commandLine().getOut();
            out.println("worker      " + cluster + " at " + access.address());
            out.println("machines    up to " + capacity.machines() + " of " + String.join(", ", capacity.gpus()));
            out.flush();
            loop.over().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException why ? why : failure;
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException ignored) {
            return "unnamed";
        }
    }

    /** Returns the local address of packets to the backend. Sends nothing. */
    private static String ownAddress(URI backend) throws IOException {
        if (backend.getHost() == null) {
            throw new IllegalArgumentException(
                    "--join: expected an address such as https://gpu.example.org, got \"" + backend + "\"");
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(
                    InetAddress.getByName(backend.getHost()), backend.getPort() < 0 ? HTTPS : backend.getPort()));
            return socket.getLocalAddress().getHostAddress();
        }
    }
}
