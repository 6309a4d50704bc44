package io.neardup.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen.
 *
 * @param host a name or an address; one of IPv6 in brackets
 * @param port 0 to 65535; 0 for any that is free
 */
public record ListenAddress(String host, int port) {
    private static final int PORT_MAX = 65_535;
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,252}[A-Za-z0-9])?");
    private static final Pattern WRITTEN =
            Pattern.compile("(?<host>\\[[0-9A-Fa-f:.]{2,45}]|" + HOST + "):(?<port>\\d{1,5})");
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[(0*:){2,7}0*1]", Pattern.CASE_INSENSITIVE);

    /** The address as it is written in a setting; empty where it is none. */
    static Optional<ListenAddress> of(String written) {
        Matcher matcher = WRITTEN.matcher(written);
        if (!matcher.matches() || Integer.parseInt(matcher.group("port")) > PORT_MAX) {
            return Optional.empty();
        }
        return Optional.of(new ListenAddress(matcher.group("host"), Integer.parseInt(matcher.group("port"))));
    }

    static boolean isHost(String name) {
        return HOST.matcher(name).matches();
    }

    /** Whether only this machine can reach it. Told from how it is written: no name server is asked. */
    public boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
