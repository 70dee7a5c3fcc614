/** The time zone in which a page shows its times: that of its project. */
import { createContext } from 'preact';

export const TimeZone = createContext('UTC');
