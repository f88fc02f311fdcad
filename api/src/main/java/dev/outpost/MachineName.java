package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.UnknownGpuException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a machine in one word, as {@code OUTPOST_MACHINE} and the option {@code --machine} take it. {@code RemoteMachine.open}
 * opens it.
 *
 * <table>
 * <caption>Forms</caption>
 * <tr><td>{@code k8s:A100}</td><td>a machine of a provider, with this GPU</td></tr>
 * <tr><td>{@code process:anyx2}</td><td>several machines that compute as one</td></tr>
 * <tr><td>{@code mock}</td><td>a machine of a provider, with any GPU</td></tr>
 * <tr><td>{@code host:port}, {@code unix:/path}</td><td>a machine that runs already, with the token of {@code OUTPOST_TOKEN}</td></tr>
 * </table>
 */
public sealed interface MachineName {

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException if the name has none of the forms; the message lists them
     */
    static MachineName parse(String name) {
        String word = ArgumentChecks.required(name, "the name of the machine").strip();
        return OfEndpoint.FORM.matcher(word).matches() ? new OfEndpoint(word) : OfProvider.parse(word);
    }

    /**
     * A new machine of a provider.
     *
     * @param count the number of machines that compute as one
     */
    record OfProvider(String provider, String gpu, int count) implements MachineName {
        private static final Pattern FORM = Pattern.compile("([^:\\s]+)(?::([^:]*[^:\\s]))?");
        private static final Pattern SEVERAL = Pattern.compile("(.+)x([1-9][0-9]{0,2})");

        private static final Pattern NONE = Pattern.compile(".+x0+");

        private static OfProvider parse(String word) {
            Matcher parts = FORM.matcher(word);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        "machine: expected PROVIDER:GPU such as k8s:A100, PROVIDER:GPUxCOUNT such as"
                                + " process:anyx2, HOST:PORT or unix:FILE, got \"" + word + "\"");
            }
            String gpu = Optional.ofNullable(parts.group(2)).orElse(GpuType.ANY.name());
            if (NONE.matcher(gpu).matches() && !isGpu(gpu)) {
                throw new IllegalArgumentException(
                        "machine: the number of machines behind the last x must be at least 1, got \"" + word + "\"");
            }
            Matcher several = SEVERAL.matcher(gpu);
            // The name of a GPU may end like a count.
            return several.matches() && !isGpu(gpu)
                    ? new OfProvider(parts.group(1), several.group(1), Integer.parseInt(several.group(2)))
                    : new OfProvider(parts.group(1), gpu, 1);
        }

        private static boolean isGpu(String name) {
            try {
                GpuCatalogue.configured().find(name);
                return true;
            } catch (UnknownGpuException ignored) {
                return false;
            }
        }

        @Override
        public String toString() {
            return provider + ":" + gpu + (count == 1 ? "" : "x" + count);
        }
    }

    /**
     * A machine that runs already.
     *
     * @param address {@code host:port} or {@code unix:/path}
     */
    record OfEndpoint(String address) implements MachineName {
        private static final Pattern FORM = Pattern.compile("unix:.+|(?:\\[[^\\]]+]|[^:\\[\\]\\s]+):\\d+");

        @Override
        public String toString() {
            return address;
        }
    }
}
