package io.neardup.faults;

import static net.bytebuddy.matcher.ElementMatchers.any;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.none;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;
import org.rocksdb.TableFileCreationInfo;

/**
 * Kills the JVM that it is an agent of when that comes to a {@link FaultPoint} for the n-th time. It changes the
 * classes as they are loaded; what is on the disk of the service's own classes stays as it is.
 *
 * <p>While it works, a segment of buckets is due as soon as anything has changed, so that one soon follows another.
 */
public final class FaultAgent {
    static final String ORIGINALS_DISK = "OriginalsDisk";
    static final String CLOSE_ROCKS = "closeRocks";
    static final String SEGMENTS = "BandSegments";
    static final String IS_DUE = "isOld";

    private static final String POINT = "fault.point";
    private static final String HIT = "fault.hit";
    private static final String FLUSHED = "fault.flushed";

    private static final FaultPoint AT = FaultPoint.valueOf(System.getProperty(POINT, FaultPoint.WRITTEN.name()));
    private static final AtomicInteger LEFT = new AtomicInteger(Integer.getInteger(HIT, 1));

    /** Those that are open, and what is told by them: kept here, or the garbage collector would take it. */
    private static final Queue<Object> ROCKS = new ConcurrentLinkedQueue<>();

    private static final Queue<AbstractEventListener> LISTENERS = new ConcurrentLinkedQueue<>();

    private FaultAgent() {}

    /** How a point is found. */
    enum How {
        BEFORE,
        AFTER,
        BEFORE_MOVE,
        AFTER_MOVE,
        AFTER_DELETION,
        ON_FLUSH_BEGUN,
        ON_FILE,
        ON_FLUSHED
    }

    /**
     * The options of a JVM that is to be killed.
     *
     * @param folder for the agent's jar, which holds nothing but its name: its classes are those of the tests
     * @param hit at which arrival, counted from 1
     * @param isFlushed whether RocksDB writes what it was given to files just before
     */
    static List<String> options(Path folder, FaultPoint point, int hit, boolean isFlushed) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", FaultAgent.class.getName());
        Path jar = folder.resolve("agent.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return List.of(
                "-javaagent:" + jar,
                "-D" + POINT + "=" + point,
                "-D" + HIT + "=" + hit,
                "-D" + FLUSHED + "=" + isFlushed);
    }

    /** What the JVM says last. */
    static String lastWords(FaultPoint point) {
        return "killed at " + point;
    }

    /** Called by the JVM, before the service starts. */
    public static void premain(String argument, Instrumentation instrumentation) {
        // Otherwise bodies of lambdas are left out.
        new AgentBuilder.Default(new ByteBuddy().ignore(none()))
                .disableClassFormatChanges()
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
                .type(type ->
                        List.of(AT.type, ORIGINALS_DISK, SEGMENTS).stream().anyMatch(name -> isOurs(type, name)))
                .transform((builder, type, loader, module, domain) -> changed(builder, type))
                .installOn(instrumentation);
    }

    private static boolean isOurs(TypeDescription type, String name) {
        return type.getName().startsWith("io.neardup.") && type.getName().endsWith("." + name);
    }

    private static DynamicType.Builder<?> changed(DynamicType.Builder<?> builder, TypeDescription type) {
        DynamicType.Builder<?> changed = builder;
        if (isOurs(type, SEGMENTS) && AT.phase == FaultPoint.Phase.WORK) {
            changed = changed.method(named(IS_DUE)).intercept(FixedValue.value(true));
        }
        if (isOurs(type, ORIGINALS_DISK)) {
            changed = changed.visit(Advice.to(Opened.class).on(isConstructor()))
                    .visit(Advice.to(Closing.class).on(named(CLOSE_ROCKS)));
        }
        return isOurs(type, AT.type) ? withPoint(changed) : changed;
    }

    private static DynamicType.Builder<?> withPoint(DynamicType.Builder<?> builder) {
        return switch (AT.how) {
            case BEFORE -> builder.visit(Advice.to(Before.class).on(named(AT.method)));
            case AFTER -> builder.visit(Advice.to(After.class).on(named(AT.method)));
            case BEFORE_MOVE, AFTER_MOVE, AFTER_DELETION ->
                builder.visit(MemberSubstitution.relaxed()
                        .method(named(AT.method))
                        .replaceWith(replacement(AT.method))
                        .on(any()));
            case ON_FLUSH_BEGUN, ON_FILE, ON_FLUSHED ->
                builder.visit(Advice.to(Configured.class).on(named(AT.method)));
        };
    }

    private static Method replacement(String name) {
        return List.of(FaultAgent.class.getMethods()).stream()
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    // ---- what the changed classes do

    /** At the beginning of a method. */
    static final class Before {
        private Before() {}

        @Advice.OnMethodEnter
        static void enter() {
            reached();
        }
    }

    /** At the end of a method that does not fail. */
    static final class After {
        private After() {}

        @Advice.OnMethodExit
        static void exit() {
            reached();
        }
    }

    /** At the end of a constructor of what has RocksDB open. */
    static final class Opened {
        private Opened() {}

        @Advice.OnMethodExit
        static void exit(@Advice.This Object rocks) {
            opened(rocks);
        }
    }

    /** Before it is closed. */
    static final class Closing {
        private Closing() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.This Object rocks) {
            closing(rocks);
        }
    }

    /** Where the options of RocksDB are made. */
    static final class Configured {
        private Configured() {}

        @Advice.OnMethodExit
        static void exit(@Advice.Return DBOptions options) {
            configured(options);
        }
    }

    /** In place of that of {@link Files}. */
    public static Path move(Path from, Path to, CopyOption... options) throws IOException {
        boolean isCounted = AT.phase != FaultPoint.Phase.STOP || isClosing();
        if (AT.how == How.BEFORE_MOVE && isCounted) {
            reached();
        }
        Path moved = Files.move(from, to, options);
        if (AT.how == How.AFTER_MOVE && isCounted) {
            reached();
        }
        return moved;
    }

    private static boolean isClosing() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + SEGMENTS)
                        && frame.getMethodName().equals("close")));
    }

    /** In place of that of {@link Files}. */
    public static boolean deleteIfExists(Path path) throws IOException {
        boolean deleted = Files.deleteIfExists(path);
        reached();
        return deleted;
    }

    /** Is to be found when what RocksDB was given is to be in files. */
    public static void opened(Object rocks) {
        ROCKS.add(rocks);
    }

    public static void closing(Object rocks) {
        ROCKS.remove(rocks);
    }

    /** RocksDB is about to open. */
    public static void configured(DBOptions options) {
        AbstractEventListener listener = new Flushes();
        LISTENERS.add(listener);
        options.setListeners(List.of(listener));
    }

    /** What RocksDB tells, by threads of its own. */
    private static final class Flushes extends AbstractEventListener {
        @Override
        public void onFlushBegin(RocksDB rocks, FlushJobInfo info) {
            reachedIf(How.ON_FLUSH_BEGUN);
        }

        @Override
        public void onTableFileCreated(TableFileCreationInfo info) {
            reachedIf(How.ON_FILE);
        }

        @Override
        public void onFlushCompleted(RocksDB rocks, FlushJobInfo info) {
            reachedIf(How.ON_FLUSHED);
        }

        private static void reachedIf(How how) {
            if (AT.how == how) {
                reached();
            }
        }
    }

    /** The JVM is at the point: nothing goes on from here. */
    public static void reached() {
        if (LEFT.decrementAndGet() != 0) {
            return;
        }
        try {
            if (Boolean.getBoolean(FLUSHED)) {
                for (Object rocks : ROCKS) {
                    flush(rocks);
                }
            }
            System.out.println(lastWords(AT));
            kill();
        } catch (ReflectiveOperationException | IOException | InterruptedException e) {
            throw new IllegalStateException("not killed at " + AT, e);
        }
    }

    private static void flush(Object rocks) throws ReflectiveOperationException {
        Method flush = rocks.getClass().getDeclaredMethod("flush", boolean.class);
        flush.setAccessible(true);
        flush.invoke(rocks, true);
    }

    /** From outside, as a JVM cannot end itself so. Other threads may go on for some milliseconds. */
    private static void kill() throws IOException, InterruptedException {
        new ProcessBuilder(
                        "kill", "-KILL", String.valueOf(ProcessHandle.current().pid()))
                .inheritIO()
                .start()
                .waitFor();
        new CountDownLatch(1).await();
    }
}
