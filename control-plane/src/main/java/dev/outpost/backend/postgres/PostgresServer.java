package dev.outpost.backend.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The backend's own PostgreSQL server. Its folder is kept between runs. The server writes durably, listens only on
 * loopback and requires a password. A server that a killed backend left running is taken over.
 */
public final class PostgresServer implements PostgresSupervisor.Server {
    private static final String USER = "outpost";
    private static final String DATABASE = "outpost";

    /** The name of the subfolder with the database's files. */
    private static final String FILES = "database";

    private static final String LOG = "database.log";
    private static final String OLDER_LOG = "database.log.1";
    static final long LONGEST_LOG = 8L << 20;

    private static final int PASSWORD_BYTES = 24;
    private static final int ATTEMPTS = 3;
    private static final String REMEDY =
            "; set OUTPOST_BACKEND_DATABASE_URL=jdbc:postgresql://HOST/DATABASE, and OUTPOST_BACKEND_DATABASE_USER and "
                    + "OUTPOST_BACKEND_DATABASE_PASSWORD, to use a server that runs already";

    private final FileLock lock;
    private final PostgresPrograms programs;
    private final RunAs user;
    private final Path folder;
    private final Path database;
    private final int port;
    private final String password;

    private PostgresServer(
            FileLock lock, PostgresPrograms programs, RunAs user, Path folder, int port, String password) {
        this.lock = lock;
        this.programs = programs;
        this.user = user;
        this.folder = folder;
        this.database = folder.resolve(FILES);
        this.port = port;
        this.password = password;
    }

    /**
     * Starts the server of a folder, and makes the folder if it does not exist.
     *
     * @throws IOException if another backend uses the folder, or no server can be started; the message says the
     *     remedy
     */
    public static PostgresServer start(Path folder, Tools tools) throws IOException {
        return start(folder, tools, PostgresPrograms::all);
    }

    /** @param offer the programs that may be tried */
    static PostgresServer start(Path folder, Tools tools, PostgresPrograms.Offer offer) throws IOException {
        Files.createDirectories(folder);
        FileLock lock = lock(folder);
        try {
            return start(folder.toRealPath(), tools, offer, lock);
        } catch (IOException | RuntimeException failure) {
            lock.channel().close();
            throw failure;
        }
    }

    private static PostgresServer start(Path folder, Tools tools, PostgresPrograms.Offer offer, FileLock lock)
            throws IOException {
        List<String> obstacles = new ArrayList<>();
        List<RunAs> ways = RunAs.ways(tools, folder);
        if (ways.isEmpty()) {
            obstacles.add("PostgreSQL does not run as root, and neither setpriv nor runuser nor unshare is here");
        }
        List<PostgresPrograms> offered = offer.of(tools, folder);
        if (offered.isEmpty()) {
            obstacles.add(
                    "none came with the backend for " + System.getProperty("os.arch") + ", and none is installed");
        }
        for (PostgresPrograms programs : offered) {
            for (RunAs user : ways) {
                String obstacle = obstacle(programs, user, folder);
                if (obstacle.isEmpty()) {
                    return start(folder, lock, programs, user);
                }
                obstacles.add(programs.name() + ", " + user.name() + ": " + obstacle);
            }
        }
        throw new IOException(
                "database: no PostgreSQL can be started here (" + String.join("; ", obstacles) + ")" + REMEDY);
    }

    /** Returns the reason why the programs cannot run as this user; an empty text if they can. */
    private static String obstacle(PostgresPrograms programs, RunAs user, Path folder) throws IOException {
        user.own(folder);
        Tools.Result version = Tools.run(user.command(programs.folder().resolve("postgres"), "--version"));
        if (!version.isSuccess()) {
            return version.output();
        }
        Tools.Result entered = Tools.run(user.command(Path.of("/bin/sh"), "-c", "test -w \"$0\"", folder.toString()));
        if (!entered.isSuccess()) {
            return "cannot write " + folder;
        }
        return mismatch(folder.resolve("database"), version.output());
    }

    private static String mismatch(Path database, String version) throws IOException {
        Path file = database.resolve("PG_VERSION");
        if (!Files.exists(file)) {
            return "";
        }
        String major = Files.readString(file).strip();
        return version.matches(".*\\) " + major + "[.\\s].*|.*\\) " + major)
                ? ""
                : "the files of " + database + " are of version " + major + ", the program is " + version;
    }

    private static PostgresServer start(Path folder, FileLock lock, PostgresPrograms programs, RunAs user)
            throws IOException {
        String password = password(folder.resolve("database-password"));
        user.own(folder);
        Path database = folder.resolve("database");
        if (!Files.exists(database)) {
            initialize(folder, programs, user);
        }
        int port = StalePid.port(database).orElseGet(() -> -1);
        if (port < 0) {
            StalePid.clear(database);
            port = launch(folder, programs, user);
        }
        PostgresServer server = new PostgresServer(lock, programs, user, folder, port, password);
        server.createDatabase();
        return server;
    }

    /** Initializes under a temporary name and renames, so that a killed process leaves no partial database. */
    private static void initialize(Path folder, PostgresPrograms programs, RunAs user) throws IOException {
        Path half = folder.resolve("database.new");
        deleteTree(half);
        expect(
                "initdb",
                Tools.run(user.command(
                        programs.initdb(),
                        "--pgdata=" + half,
                        "--username=" + USER,
                        "--pwfile=" + folder.resolve("database-password"),
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--data-checksums")));
        Files.move(half, folder.resolve("database"));
    }

    /** Starts the server on a free port. Tries another port if another program takes it first. */
    private static int launch(Path folder, PostgresPrograms programs, RunAs user) throws IOException {
        Tools.Result result = new Tools.Result(1, "");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = freePort();
            result = launch(folder, programs, user, port);
            if (result.isSuccess()) {
                return port;
            }
        }
        throw new IOException("database: PostgreSQL did not start: " + result.output() + "; its log is "
                + folder.resolve(LOG) + REMEDY);
    }

    private static Tools.Result launch(Path folder, PostgresPrograms programs, RunAs user, int port)
            throws IOException {
        return Tools.run(user.command(
                programs.control(),
                "start",
                "--wait",
                "--pgdata=" + folder.resolve(FILES),
                "--log=" + folder.resolve(LOG),
                "--options=" + options(port)));
    }

    @Override
    public boolean isRunning() throws IOException {
        return StalePid.port(database).isPresent();
    }

    /** Starts the server again on its previous port, which its clients know. */
    @Override
    public void restart() throws IOException {
        StalePid.clear(database);
        expect("pg_ctl start", launch(folder, programs, user, port));
    }

    @Override
    public String log() {
        return folder.resolve(LOG).toString();
    }

    /**
     * Copies a log of more than {@link #LONGEST_LOG} bytes over the one older log, and truncates the log. The server appends to the file,
     * so this may happen while it runs. Lines that it writes between the copy and the truncation are lost.
     */
    @Override
    public void boundLog() throws IOException {
        Path log = folder.resolve(LOG);
        if (Files.size(log) > LONGEST_LOG) {
            Files.copy(log, folder.resolve(OLDER_LOG), StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel open = FileChannel.open(log, StandardOpenOption.WRITE)) {
                open.truncate(0);
            }
        }
    }

    private static String options(int port) {
        return String.join(
                " ",
                "-c port=" + port,
                "-c listen_addresses=127.0.0.1",
                "-c unix_socket_directories=''",
                "-c synchronous_commit=on",
                "-c fsync=on",
                "-c full_page_writes=on",
                "-c max_connections=100",
                "-c shared_buffers=64MB");
    }

    private void createDatabase() throws IOException {
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, password);
                Statement statement = connection.createStatement()) {
            if (!statement
                    .executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + DATABASE + "'")
                    .next()) {
                statement.execute("CREATE DATABASE " + DATABASE);
            }
        } catch (SQLException failure) {
            throw new IOException("database: the server of " + database + " refuses: " + failure.getMessage(), failure);
        }
    }

    /** Returns the JDBC URL of the server. */
    public String url() {
        return url(DATABASE);
    }

    private String url(String name) {
        return url(port, name);
    }

    /**
     * Returns a URL that requires SCRAM authentication. After the server has ended, any process of this host can listen at its port and ask
     * for the password. SCRAM never sends it, so such a process cannot learn it.
     */
    static String url(int port, String name) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?requireAuth=scram-sha-256";
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    /** Stops the server, which disconnects its clients, and releases the folder. */
    @Override
    public void close() throws IOException {
        try {
            expect(
                    "pg_ctl stop",
                    Tools.run(
                            user.command(programs.control(), "stop", "--wait", "--mode=fast", "--pgdata=" + database)));
        } finally {
            lock.channel().close();
        }
    }

    /** Locks the folder for this process. The lock is released when the process ends for any reason. */
    private static FileLock lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
        } catch (OverlappingFileLockException ignored) {
            // This process already holds the lock. This is handled as if another process held it.
        }
        channel.close();
        throw new IOException("database: another backend keeps its data in " + folder
                + "; stop it, or name another folder by --data");
    }

    private static String password(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] bytes = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(bytes);
            Files.createFile(file, ownerOnly());
            Files.writeString(file, HexFormat.of().formatHex(bytes) + "\n");
        }
        return Files.readString(file).strip();
    }

    private static FileAttribute<Set<PosixFilePermission>> ownerOnly() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void expect(String what, Tools.Result result) throws IOException {
        if (!result.isSuccess()) {
            throw new IOException("database: " + what + " failed: " + result.output());
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
