package dev.outpost.channel;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Finds settings whose environment variable Kubernetes has set. For each Service of a pod's namespace the kubelet sets variables. The
 * variables of a Service {@code outpost-backend} include {@code OUTPOST_BACKEND_PORT=tcp://10.96.0.7:443}, which is also the name of a
 * setting.
 */
public final class ServiceLinks {
    private static final Pattern LINK = Pattern.compile("(tcp|udp|sctp)://\\S+");

    private ServiceLinks() {}

    /**
     * Refuses a setting whose value is a service link.
     *
     * @param property the setting as a system property, such as {@code outpost.backend.port}
     * @throws IllegalArgumentException if the value is a service link; the message names the variable and the remedy
     */
    public static void refuse(String property) {
        refuse(property, System.getProperties(), System.getenv());
    }

    static void refuse(String property, Properties properties, Map<String, String> environment) {
        String variable = property.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
        Optional<String> value = Optional.ofNullable(environment.get(variable))
                .filter(text -> LINK.matcher(text.strip()).matches())
                .filter(text -> properties.getProperty(property) == null);
        if (value.isPresent()) {
            String service =
                    variable.replaceAll("_PORT$", "").toLowerCase(Locale.ROOT).replace('_', '-');
            throw new IllegalArgumentException(
                    variable + " is \"" + value.get() + "\", which Kubernetes sets for the Service "
                            + service
                            + "; the variable is also a setting: set enableServiceLinks: false in the pod, or give the"
                            + " variable a value in its container");
        }
    }
}
