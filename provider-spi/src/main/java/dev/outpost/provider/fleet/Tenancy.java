package dev.outpost.provider.fleet;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** The kind of owner of a machine. A control plane sets it as a label, and suppliers keep machines of tenants apart by it. */
public enum Tenancy {
    /** The machine belongs to the caller that made it, without an organisation. */
    OWN,

    /** It belongs to the operator of the control plane. */
    OPERATOR,

    /** It belongs to another organisation. */
    TENANT,

    /** It waits in a pool, and any organisation may get it later. */
    POOL;

    /** The label with the name of the organisation. */
    public static final String ORGANISATION_LABEL = "organisation";

    /**
     * The label whose value is one of these names in lower case. A machine with an organisation but without this
     * label belongs to a tenant.
     */
    public static final String LABEL = "tenancy";

    /** Returns the value of the label. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Tenancy of(Map<String, String> labels) {
        if (!labels.containsKey(ORGANISATION_LABEL)) {
            return OWN;
        }
        return Arrays.stream(values())
                .filter(one -> one.text().equals(labels.get(LABEL)))
                .findFirst()
                .orElse(TENANT);
    }
}
