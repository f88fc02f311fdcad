package dev.outpost.provider.k8s.config;

import java.util.regex.Pattern;

/** The rules of Kubernetes for names, keys and values. */
public final class KubernetesNames {
    /** The maximum length of labels, label values and names in keys, in characters. */
    public static final int LONGEST_LABEL = 63;

    private static final int LONGEST_SUBDOMAIN = 253;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?");

    private KubernetesNames() {}

    /** Returns true for a DNS label, the form of the names of namespaces and Services. */
    public static boolean isLabel(String text) {
        return text.length() <= LONGEST_LABEL && LABEL.matcher(text).matches();
    }

    /** Returns true for a DNS name, the form of the names of most objects. */
    public static boolean isSubdomain(String text) {
        return text.length() <= LONGEST_SUBDOMAIN && SUBDOMAIN.matcher(text).matches();
    }

    /** Returns true for the key of a label, an annotation or a taint, or a resource: a name, optionally with a domain before it. */
    public static boolean isKey(String text) {
        int slash = text.indexOf('/');
        String name = text.substring(slash + 1);
        return (slash < 0 || isSubdomain(text.substring(0, slash))) && !name.isEmpty() && isLabelValue(name);
    }

    /** Returns true if a label may have this value. The empty value is allowed. */
    public static boolean isLabelValue(String text) {
        return text.length() <= LONGEST_LABEL && VALUE.matcher(text).matches();
    }
}
