package dev.outpost.provider.process.launch;

import dev.outpost.provider.process.state.UserRange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The addresses at which clouds serve a host's credentials to any of its processes. */
final class MetadataServices {
    static final List<String> ADDRESSES = List.of(
            // AWS and most others; AWS for containers and for pods.
            "169.254.169.254",
            "169.254.170.2",
            "169.254.170.23",
            "fd00:ec2::254",
            "fd00:ec2::23",
            // Azure, Alibaba, Tencent, Scaleway.
            "168.63.129.16",
            "100.100.100.200",
            "169.254.0.23",
            "169.254.42.42",
            "fd00:42::42",
            // Google and Oracle.
            "fd20:ce::254",
            "192.0.0.192",
            "fd00:c1::a9fe:a9fe");

    private static final int HTTP = 80;
    private static final int TIMEOUT_MILLIS = 500;

    /**
     * The preference of the routing rule. It applies after the table of local addresses and before the host's other
     * tables.
     */
    private static final String PREFERENCE = "5210";

    private MetadataServices() {}

    /**
     * Blocks the addresses for the users of organisations by routing rules of the host. Keeps an existing rule. Adds
     * a rule that is missing, for example after a restart of the network.
     *
     * @return the reason why they cannot be blocked; empty on success
     */
    static Optional<String> block(UserRange users) {
        for (String address : ADDRESSES) {
            String family = address.contains(":") ? "-6" : "-4";
            List<String> rule = List.of(
                    "ip",
                    family,
                    "rule",
                    "%s",
                    "pref",
                    PREFERENCE,
                    "uidrange",
                    users.text(),
                    "to",
                    address,
                    "prohibit");
            Tool.Result added = Tool.run(with(rule, "add"));
            boolean isThere = added.isSuccess() || added.output().contains("File exists");
            // A host without IPv6 has no such address.
            if (!isThere && family.equals("-4")) {
                return Optional.of("ip rule: " + added.output());
            }
        }
        return Optional.empty();
    }

    private static List<String> with(List<String> rule, String verb) {
        return rule.stream().map(word -> word.equals("%s") ? verb : word).toList();
    }

    /** Returns the first address that answers on this host. Tries all of them in parallel. */
    static Optional<String> reachable() {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Optional<String>>> questions = ADDRESSES.stream()
                    .<Callable<Optional<String>>>map(address -> () -> reachable(address))
                    .toList();
            List<String> answers = new ArrayList<>();
            for (Future<Optional<String>> answer : threads.invokeAll(questions)) {
                answer.get().ifPresent(answers::add);
            }
            return answers.stream().findFirst();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of("an unknown address");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Optional<String> reachable(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), HTTP), TIMEOUT_MILLIS);
            return Optional.of(address);
        } catch (IOException ignored) {
            return Optional.empty();
        }
    }
}
