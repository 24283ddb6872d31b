// What a view asks of the server, and asks again when the question changes or the server is back.

import { useEffect, useState } from 'preact/hooks';
import { isConnected, tell } from '../state';

/** The last answer; nothing before the first, and nothing after a failure. `key` tells questions apart; `delay` lets changes settle. */
export function useAnswer<T>(key: string, ask: () => Promise<T>, delay = 0): T | null {
  const [answer, setAnswer] = useState<T | null>(null);
  useEffect(() => {
    if (!isConnected.value) return;
    let isOld = false;
    const failed = (error: unknown) => {
      if (isOld) return;
      setAnswer(null);
      tell(error);
    };
    const timer = setTimeout(() => ask().then((found) => isOld || setAnswer(found)).catch(failed), delay);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [key, isConnected.value]);
  return answer;
}
