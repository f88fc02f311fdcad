package dev.outpost.backend.fleet;

import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.Multi;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Counts the points before and after each commit and each call of a fleet, and kills the process at one of them. */
final class CrashPoints {
    private final int fatal;
    private int passed;
    private String last = "";

    /** @param fatal the point at which it is killed, from 1 */
    CrashPoints(int fatal) {
        this.fatal = fatal;
    }

    /** The point at which the process was killed. */
    String last() {
        return last;
    }

    private void pass(String where) {
        passed++;
        last = where;
        if (passed == fatal) {
            throw new Crash(where);
        }
    }

    private <T> T around(String what, Supplier<T> work) {
        pass("before " + what);
        T answer = work.get();
        pass("after " + what);
        return answer;
    }

    DataSource source(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                CrashPoints.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object answer = invoke(source, method, arguments);
                    return answer instanceof Connection connection ? connection(connection) : answer;
                });
    }

    private Connection connection(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                CrashPoints.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("commit")) {
                        return invoke(connection, method, arguments);
                    }
                    pass("before a commit");
                    Object answer = invoke(connection, method, arguments);
                    pass("after a commit");
                    return answer;
                });
    }

    private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    FleetProvider provider(FleetProvider provider) {
        return new FleetProvider() {
            @Override
            public String name() {
                return provider.name();
            }

            @Override
            public MachineFleet open(String installation, Map<String, String> options) {
                return fleet(provider.open(installation, options));
            }
        };
    }

    private MachineFleet fleet(MachineFleet fleet) {
        return new MachineFleet() {
            @Override
            public String installation() {
                return fleet.installation();
            }

            @Override
            public void validate(DesiredMachine machine) {
                fleet.validate(machine);
            }

            @Override
            public MachineObservation ensure(DesiredMachine machine) {
                return around("ensure", () -> fleet.ensure(machine));
            }

            @Override
            public List<MachineObservation> list() {
                return around("list", fleet::list);
            }

            @Override
            public FleetWatch watch(Consumer<MachineObservation> listener) {
                return fleet.watch(listener);
            }

            @Override
            public void bind(MachineRef machine, Grant grant) {
                around("bind", () -> {
                    fleet.bind(machine, grant);
                    return null;
                });
            }

            @Override
            public void revoke(MachineRef machine, String tokenSha256) {
                around("revoke", () -> {
                    fleet.revoke(machine, tokenSha256);
                    return null;
                });
            }

            @Override
            public void end(MachineRef machine) {
                around("end", () -> {
                    fleet.end(machine);
                    return null;
                });
            }

            @Override
            public Multi<String> logs(MachineRef machine, boolean follow) {
                return fleet.logs(machine, follow);
            }

            @Override
            public void close() {
                fleet.close();
            }
        };
    }
}
