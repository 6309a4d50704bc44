package io.neardup.testing;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What the services in this process have counted, as their metrics tell; these may lag a commit behind. */
public final class ServiceTotals {
    private ServiceTotals() {}

    /**
     * The sum of a metric over all partitions.
     *
     * @param metric as JMX calls it, such as {@code buckets-full-total}
     */
    public static double of(String metric) throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        double sum = 0;
        for (ObjectName bean : beans.queryNames(new ObjectName("kafka.streams:type=neardup,*"), null)) {
            sum += beans.getAttributes(bean, new String[] {metric}).asList().stream()
                    .mapToDouble(attribute -> (double) attribute.getValue())
                    .sum();
        }
        return sum;
    }
}
