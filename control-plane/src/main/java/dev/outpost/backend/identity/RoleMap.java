package dev.outpost.backend.identity;

import dev.outpost.rest.tenant.Role;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The roles that groups of an issuer have. A person can log in only if one of the person's groups has an entry. */
public final class RoleMap {
    private static final Pattern ENTRY =
            Pattern.compile("([^=,]{1,200})=([a-z0-9-]{1,40})(?:/([a-z0-9-]{1,40}))?:(VIEWER|DEVELOPER|ADMIN)");

    private final List<Entry> entries;

    /** The role of a group in an organisation, or in one of the organisation's projects. */
    public record Entry(String group, String organisation, Optional<String> project, Role role) {}

    /** @param text {@code GROUP=ORGANISATION:ROLE} or {@code GROUP=ORGANISATION/PROJECT:ROLE}, separated by commas */
    public RoleMap(String text) {
        entries = Stream.of(text.split(","))
                .map(String::strip)
                .filter(one -> !one.isEmpty())
                .map(RoleMap::entry)
                .toList();
    }

    private static Entry entry(String text) {
        Matcher matcher = ENTRY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "oidc.roles: expected GROUP=ORGANISATION:ROLE or GROUP=ORGANISATION/PROJECT:ROLE, got \"" + text
                            + "\"");
        }
        return new Entry(
                matcher.group(1),
                matcher.group(2),
                Optional.ofNullable(matcher.group(3)),
                Role.valueOf(matcher.group(4)));
    }

    /** Returns all roles of these groups, in the order of the setting. */
    public List<Entry> of(List<String> groups) {
        return entries.stream().filter(entry -> groups.contains(entry.group())).toList();
    }

    /**
     * Returns all roles that groups can give. A login removes from the person the roles that none of the person's
     * groups has now.
     */
    public List<Entry> all() {
        return entries;
    }
}
