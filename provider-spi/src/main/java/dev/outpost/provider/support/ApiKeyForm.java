package dev.outpost.provider.support;

import java.util.regex.Pattern;

/** The form of the API keys of a backend. Servers tell by it which texts a backend need not be asked about. */
public final class ApiKeyForm {
    /** {@code op_<id>_<secret>}, with groups of these names. */
    public static final Pattern PATTERN = Pattern.compile("op_(?<id>[a-z0-9]{10})_(?<secret>[A-Za-z0-9-]{40,64})");

    private ApiKeyForm() {}
}
