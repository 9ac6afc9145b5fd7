/** Whether a place is the URL of a PostgreSQL database rather than a file. */
export const isDatabaseAddress = (place: string): boolean => /^postgres(?:ql)?:\/\//.test(place);
